/** Starts the API reference on the docs page. A file of its own, so that the page needs no inline script. */

// Before the reference is loaded: its validation library would try out eval, which the policy forbids and reports.
globalThis.__zod_globalConfig = { jitless: true }

document.addEventListener('DOMContentLoaded', () => {
  globalThis.Scalar.createApiReference(document.querySelector('#reference'), {
    // Beside the page, wherever it is served.
    url: new URL('openapi.json', document.baseURI).href,
    showOperationId: true,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    documentDownloadType: 'json',
    modelsSectionLabel: 'Schemas',
    // Faults are answered in this order.
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    // Nothing leaves this origin: no fonts, telemetry, hosted client, chat or developer tools of others.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  })
})
