import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { eachRow } from '../../testkit/each-row.ts'
import { faultOf, provider, withFile } from './load.ts'

/** One line: the setting, what is wrong with it, and what to do. */
function expectLine(line: string, name: string, fault: string, remedy: string): void {
  expect(line).toMatch(/^\S+: [^\n]+\. [A-Z][^\n]*$/)
  expect(line.startsWith(`${name}: `)).toBe(true)
  expect(line).toContain(fault)
  expect(line).toContain(remedy)
}

describe('a wrong variable stops the start with one line that names it, the fault and the remedy', () => {
  const rows = [
    ['GATEWAY_ORIGIN', 'localhost:8787', 'is not an origin', 'scheme://host'],
    ['GATEWAY_ORIGIN', 'http://localhost:8787/', 'is not an origin', 'no path'],
    ['GATEWAY_ORIGIN', 'http://LOCALHOST', 'is not an origin', 'lower case'],
    ['GATEWAY_ORIGIN', 'ftp://localhost', 'is not an origin', 'scheme://host'],
    ['GATEWAY_ORIGIN', 'http://user:word@localhost', 'is not an origin', 'scheme://host'],
    ['GATEWAY_LISTEN', '8787', '"8787" is not a valid address', 'host:port'],
    ['GATEWAY_LISTEN', 'localhost:65536', '"localhost:65536" is not a valid address', 'host:port'],
    ['GATEWAY_LISTEN', '::1:8787', '"::1:8787" is not a valid address', 'host:port'],
    ['GATEWAY_OPERATOR_LISTEN', 'no', '"no" is not a valid address', 'host:port'],
    ['GATEWAY_TRUSTED_PROXIES', 'proxy.example', '"proxy.example" is not an IP address or CIDR range', '10.0.0.0/8'],
    ['GATEWAY_TRUSTED_PROXIES', '10.0.0.0/33', '"10.0.0.0/33" is not an IP', 'commas'],
    ['GATEWAY_TRUSTED_PROXIES', 'fd00::/129', '"fd00::/129" is not an IP', 'commas'],
    ['GATEWAY_TRUSTED_PROXIES', '10.0.0.1,', '"" is not an IP', 'commas'],
    ['GATEWAY_TRUSTED_PROXIES', '10.0.0.1 10.0.0.2', '"10.0.0.1 10.0.0.2" is not an IP', 'commas'],
    ['GATEWAY_TRUSTED_PROXIES', '::ffff:a00:1', '"::ffff:a00:1" is not an IP', '127.0.0.1'],
    ['GATEWAY_TRUSTED_PROXIES', 'fe80::1%eth0', '"fe80::1%eth0" is not an IP', 'commas'],
    ['GATEWAY_TRUSTED_PROXIES', '10.0.0.0/-1', '"10.0.0.0/-1" is not an IP', 'commas'],
    ['DATABASE_URL', 'mysql://user:word@host/db', 'is not a known kind of store', 'sqlite:PATH or postgres://'],
    ['GATEWAY_SECRET', 'short', 'has only 5 bytes', '32 random bytes'],
    ['GATEWAY_PAYMENT_MODE', 'real', '"real" is not a valid choice', 'local-simulated, disabled'],
    ['GATEWAY_SMS', 'carrier', '"carrier" is not a valid choice', 'outbox, http, aliyun, tencent, failing, disabled'],
    ['GATEWAY_EMAIL', 'pigeon', '"pigeon" is not a valid choice', 'outbox, smtp, disabled'],
    ['LOG_LEVEL', 'loud\nly', '"loud ly" is not a valid choice', 'trace, debug, info'],
    [
      'GATEWAY_CONFIG',
      '/nowhere/config.json',
      'cannot read /nowhere/config.json',
      'Set it to the path of a readable JSON file',
    ],
  ] as const

  test('a wrong value stops the start with one line', () =>
    eachRow(
      rows,
      ([name, value]) => `${name}=${value}`,
      ([name, value, fault, remedy]) =>
        expectLine(
          faultOf(() => loadConfig({ [name]: value })),
          name,
          fault,
          remedy,
        ),
    ))

  test('the line never repeats a secret', () => {
    expect(faultOf(() => loadConfig({ GATEWAY_SECRET: 'hunter2' }))).not.toContain('hunter2')
    expect(faultOf(() => loadConfig({ DATABASE_URL: 'mysql://user:hunter2@host' }))).not.toContain('hunter2')
  })
})

describe('a wrong key of the file stops the start with one line that names it, the fault and the remedy', () => {
  const rows: [unknown, string, string, string][] = [
    ['{ "a": x\n}', 'GATEWAY_CONFIG', 'cannot read', 'Set it to the path of a readable JSON file'],
    [[], 'GATEWAY_CONFIG', 'must be object, not []', 'Correct it'],
    [{ modles: {} }, 'modles', 'is not a known key', 'docs/configuration.md'],
    [{ limits: { callsPerKey: { maxx: 1 } } }, 'limits.callsPerKey.maxx', 'is not a known key', 'Remove it'],
    [{ limits: { callsPerKey: { max: 0 } } }, 'limits.callsPerKey.max', 'must be >= 1, not 0', 'allowed in one window'],
    [
      { limits: { callsPerKey: { max: '9' } } },
      'limits.callsPerKey.max',
      'must be integer, not "9"',
      'allowed in one window',
    ],
    [{ server: { bodyLimitBytes: 1e9 } }, 'server.bodyLimitBytes', 'must be <= 16777216', 'Largest request body'],
    [{ server: null }, 'server', 'must be object, not null', 'Correct it'],
    [{ keys: { lifetimeSeconds: 'year' } }, 'keys.lifetimeSeconds', 'not "year"', 'null means that they do not expire'],
    [
      { keys: { lifetimeSeconds: 0 } },
      'keys.lifetimeSeconds',
      'must be >= 1, not 0',
      'null means that they do not expire',
    ],
    [{ shopping: { snapshotsPerProject: 2 } }, 'shopping.snapshotsPerProject', 'must be >= 3', 'Returned items'],
    [{ shopping: { mode: 'mixed' } }, 'shopping.mode', '"mixed" is not a valid choice', 'local-mock, pick-http'],
    [provider({ adapter: 'magic' }), 'models.providers.model_provider_b.adapter', '"magic"', 'local, openai, disabled'],
    [provider({ adapter: undefined }), 'models.providers.model_provider_b.adapter', 'is missing', 'Add it'],
    [
      provider({ baseUrl: 'https://user:hunter2@models.example/v1' }),
      'models.providers.model_provider_b.baseUrl',
      'not "https://models.example/v1"',
      'Correct it',
    ],
    [provider({ baseUrl: undefined }), 'models.providers.model_provider_b.baseUrl', 'is missing', 'Add it'],
    [
      provider({ baseUrl: 'ftp://x' }),
      'models.providers.model_provider_b.baseUrl',
      'must match',
      'Base URL of the provider',
    ],
    [
      provider({ baseUrl: 'http://' }),
      'models.providers.model_provider_b.baseUrl',
      'must match',
      'Base URL of the provider',
    ],
    [provider({ baseUrl: 'http://u:p@x' }), 'models.providers.model_provider_b.baseUrl', 'must match', 'credentials'],
    [provider({ baseUrl: 'http://x?a' }), 'models.providers.model_provider_b.baseUrl', 'must match', 'query'],
    [provider({ models: {} }), 'models.providers.model_provider_b.models', 'fewer than 1', 'upstream model names'],
    [provider({ models: { 1: 'x' } }), 'models.providers.model_provider_b.models.1', 'not a valid name', 'matches'],
    [provider({ timeoutMs: 2 ** 31 }), 'models.providers.model_provider_b.timeoutMs', 'must be <= 3600000', 'Time for'],
    [provider({ apiKey: 'k' }), 'models.providers.model_provider_b.apiKey', 'is not a known key', 'Remove it'],
    [{ site: { name: '' } }, 'site.name', 'fewer than 1', 'runs the service'],
    [{ site: { name: 'x'.repeat(61) } }, 'site.name', 'more than 60', 'runs the service'],
    [{ site: { name: 'a\u0007b' } }, 'site.name', 'must match', 'runs the service'],
    [{ site: { contact: 'a\u202eb' } }, 'site.contact', 'must match', 'How customers reach you'],
    [{ site: { icp: 'a\u2028b' } }, 'site.icp', 'must match', 'ICP filing number'],
    [{ site: { termsUrl: 'javascript:alert(1)' } }, 'site.termsUrl', 'must match', 'terms of service'],
    [{ site: { termsUrl: 'https://u:p@x/terms' } }, 'site.termsUrl', 'must match', 'terms of service'],
    [{ site: { privacyUrl: '/privacy' } }, 'site.privacyUrl', 'must match', 'privacy policy'],
    [{ site: { privacyUrl: `https://x/${'y'.repeat(500)}` } }, 'site.privacyUrl', 'more than 500', 'privacy policy'],
    [{ site: { filings: [{ model: 'm' }] } }, 'site.filings.0.number', 'is missing', 'Add it'],
    [{ site: { filings: Array(21).fill({ model: 'm', number: 'n' }) } }, 'site.filings', 'more than 20', 'Filing'],
    [{ site: { title: 'x' } }, 'site.title', 'is not a known key', 'Remove it'],
    [{ models: { default: 'unknown' } }, 'models.default', '"unknown" is not a provider', 'model_provider_a'],
  ]

  test('a wrong value stops the start with one line', () =>
    eachRow(
      rows,
      ([file]) => JSON.stringify(file),
      ([file, key, fault, remedy]) =>
        expectLine(
          faultOf(() => withFile(file)),
          key,
          fault,
          remedy,
        ),
    ))

  test('the line stays short whatever the value is', () => {
    expect(faultOf(() => withFile({ server: 'x'.repeat(10_000) })).length).toBeLessThan(300)
  })
})
