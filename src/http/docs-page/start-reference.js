/** Starts the API reference on the docs page. A file of its own, so that the page needs no inline script. */
const reference = document.querySelector('#reference')

globalThis.Scalar.createApiReference(reference, {
  // Beside the page, wherever it is served.
  url: new URL('openapi.json', document.baseURI).href,
  theme: 'default',
  showOperationId: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'json',
  // Nothing leaves this origin: no fonts, telemetry, proxy, hosted client, chat or developer tools of others.
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})
