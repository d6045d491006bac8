import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { FileSchema } from '../../src/config/schema.ts'
import { faultOf, provider, publicVariables, secret, type Variables, withFile } from './load.ts'

describe('without settings', () => {
  const config = loadConfig({})

  test('without settings the gateway serves localhost with simulated payment, an outbox and an embedded store', () => {
    expect(config).toMatchObject({
      isLoopback: true,
      listen: { host: 'localhost', port: 8787 },
      operatorListen: { host: '127.0.0.1', port: 8788 },
      dataDir: resolve('data'),
      databaseUrl: undefined,
      secret: undefined,
      paymentMode: 'local-simulated',
      sms: { adapter: 'outbox' },
      email: { adapter: 'outbox' },
      logLevel: 'info',
    })
    expect(config.origin.origin).toBe('http://localhost:8787')
  })

  test('without settings there are three local model providers and three shops', () => {
    expect(config.providerNames).toEqual({
      models: ['model_provider_a', 'model_provider_b', 'model_provider_c'],
      shops: ['shop_provider_a', 'shop_provider_b', 'shop_provider_c'],
    })
    expect(config.models.default).toBe('model_provider_a')
    for (const provider of Object.values(config.models.providers))
      expect(provider).toEqual({
        adapter: 'local',
        models: ['local-small', 'local-large'],
        maxPromptChars: 8000,
        maxOutputTokens: 4096,
      })
    expect(Object.values(config.shopping.providers)).toEqual([null, null, null])
    expect(config.shopping).toMatchObject({ mode: 'local-mock', cacheSeconds: 60, snapshotDays: 30 })
  })

  test('providers that are left out respond locally on a loopback origin only', () => {
    const atHome = withFile({ shopping: {} })
    const inPublic = withFile({ shopping: {} }, publicVariables)
    const adapters = ({ models, media }: typeof config) =>
      [models, media].map(({ providers }) => Object.values(providers).map(({ adapter }) => adapter))
    expect(adapters(atHome)).toEqual([
      ['local', 'local', 'local'],
      ['local', 'disabled', 'disabled'],
    ])
    expect(adapters(inPublic).flat()).toEqual(Array(6).fill('disabled'))
    expect([atHome.shopping.mode, inPublic.shopping.mode]).toEqual(['local-mock', 'pick-http'])
    expect(loadConfig(publicVariables).shopping.mode).toBe('pick-http')
    expect(withFile({ shopping: { mode: 'local-mock' } }, publicVariables).shopping.mode).toBe('local-mock')
  })

  test('every key of the file has its default', () => {
    expect(config).toMatchObject({
      limits: {
        sendCodePerRequester: { max: 300, windowSeconds: 600 },
        sendCodePerPhone: { max: 10, windowSeconds: 3600 },
        recoveryPerRequester: { max: 300, windowSeconds: 3600 },
        recoveryPerIdentifierAndRequester: { max: 5, windowSeconds: 3600 },
        codesPerHour: 1000,
        wrongCodesPerHour: 1000,
        registerPerRequester: { max: 300, windowSeconds: 600 },
        loginPerRequester: { max: 300, windowSeconds: 600 },
        loginPerIdentifierAndRequester: { max: 10, windowSeconds: 600 },
        loginPerIdentifier: { max: 100, windowSeconds: 600 },
        sessionWritesPerProject: { max: 300, windowSeconds: 60 },
        callsPerKey: { max: 6000, windowSeconds: 60 },
      },
      server: { bodyLimitBytes: 65_536, bodyDeadlineMs: 10_000, drainMs: 15_000 },
      sessions: { lifetimeSeconds: 43_200 },
      keys: { lifetimeSeconds: null, maxActive: 50 },
      charges: { resultDays: 30, retentionDays: null },
    })
  })

  test('an empty variable counts as not set', () => {
    expect(loadConfig({ GATEWAY_ORIGIN: '', GATEWAY_SMS: '', DATABASE_URL: '' }).sms).toEqual({ adapter: 'outbox' })
  })
})

describe('the origin', () => {
  test.each([
    ['http://localhost:9000', 'localhost', 9000],
    ['http://127.0.0.1:9000', '127.0.0.1', 9000],
    ['http://127.8.8.8:9000', '127.8.8.8', 9000],
    ['http://[::1]:9000', '::1', 9000],
    ['http://localhost', 'localhost', 80],
    ['https://localhost', 'localhost', 443],
  ])('%s is loopback, and the gateway listens there', (origin, host, port) => {
    const config = loadConfig({ GATEWAY_ORIGIN: origin })
    expect(config.isLoopback).toBe(true)
    expect(config.listen).toEqual({ host, port })
  })

  test('a public origin has payment and messages disabled, and needs a listen address and a secret', () => {
    expect(loadConfig(publicVariables)).toMatchObject({
      isLoopback: false,
      listen: { host: '0.0.0.0', port: 8787 },
      paymentMode: 'disabled',
      sms: { adapter: 'disabled' },
      email: { adapter: 'disabled' },
      secret,
    })
    for (const name of ['GATEWAY_LISTEN', 'GATEWAY_SECRET'])
      expect(faultOf(() => loadConfig({ ...publicVariables, [name]: undefined }))).toMatch(
        new RegExp(`^${name}: is missing\\. Set `),
      )
  })

  test.each(['https://127.0.0.1.example', 'https://localhost.example', 'https://127.example'])(
    '%s is not loopback, although it looks like it',
    (GATEWAY_ORIGIN) => {
      expect(loadConfig({ ...publicVariables, GATEWAY_ORIGIN }).isLoopback).toBe(false)
    },
  )

  test.each([
    ['wechat', { appId: 'wx1', merchantId: '1900000001', merchantSerial: '51', privateKeyEnv: 'A', apiV3KeyEnv: 'B' }],
    ['alipay', { appId: '2021', sellerId: '2088', privateKeyEnv: 'A', publicKeyEnv: 'B' }],
  ])('a public origin must not simulate payment next to %s', (method, section) => {
    const file = { payments: { [method]: section } }
    const simulated = { ...publicVariables, GATEWAY_PAYMENT_MODE: 'local-simulated' }
    expect(() => withFile(file, simulated)).toThrow(/^GATEWAY_PAYMENT_MODE.*is local-simulated next to payments\./)
    expect(withFile(file, publicVariables).paymentMode).toBe('disabled')
    expect(withFile(file).paymentMode).toBe('local-simulated')
  })

  test('a public origin may enable simulated payment explicitly', () => {
    const chosen = { GATEWAY_PAYMENT_MODE: 'local-simulated' }
    expect(loadConfig({ ...publicVariables, ...chosen }).paymentMode).toBe('local-simulated')
  })

  test.each([
    ['GATEWAY_SMS', 'http, aliyun, tencent or disabled'],
    ['GATEWAY_EMAIL', 'smtp or disabled'],
  ])('a public origin refuses %s=outbox: operators could read the codes', (name, choices) => {
    expect(faultOf(() => loadConfig({ ...publicVariables, [name]: 'outbox' }))).toBe(
      `${name}: "outbox" keeps codes in a file that operators can read, and the origin is public. Use ${choices}.`,
    )
  })
})

describe('behind trusted proxies', () => {
  const variables = { GATEWAY_TRUSTED_PROXIES: '127.0.0.1' }

  test('a requester is one network, so its default of codes is lower; a file decides otherwise', () => {
    expect(loadConfig(variables).limits).toMatchObject({
      sendCodePerRequester: { max: 30, windowSeconds: 600 },
      recoveryPerRequester: { max: 20, windowSeconds: 3600 },
    })
    const chosen = { max: 200 }
    expect(withFile({ limits: { sendCodePerRequester: chosen } }, variables).limits).toMatchObject({
      sendCodePerRequester: { max: 200, windowSeconds: 600 },
      loginPerRequester: { max: 300, windowSeconds: 600 },
    })
    const hourly = { windowSeconds: 3600 }
    expect(withFile({ limits: { sendCodePerRequester: hourly } }, variables).limits.sendCodePerRequester).toEqual({
      max: 30,
      windowSeconds: 3600,
    })
  })

  test.each([
    [[], 'GATEWAY_CONFIG: must be object'],
    [{ limits: 5 }, 'limits: must be object'],
    [{ limits: { sendCodePerRequester: null } }, 'limits.sendCodePerRequester: must be object'],
  ])('the malformed %j is refused all the same', (file, fault) => {
    expect(faultOf(() => withFile(file, variables))).toContain(fault)
  })
})

test('proxies are trusted by address and by range, and none by default', () => {
  const { trustedProxies } = loadConfig({ GATEWAY_TRUSTED_PROXIES: '127.0.0.1, 10.1.2.3/8,fd00::/8 , 2001:DB8::1' })
  const trusts = (address: string) => trustedProxies.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  for (const address of ['127.0.0.1', '10.255.0.1', 'fdff::1', '2001:db8::1'])
    expect([address, trusts(address)]).toEqual([address, true])
  for (const address of ['127.0.0.2', '11.0.0.1', 'fe00::1', '2001:db8::2'])
    expect([address, trusts(address)]).toEqual([address, false])
  expect(loadConfig({}).trustedProxies.rules).toEqual([])
})

test('the operator listener can be turned off', () => {
  expect(loadConfig({ GATEWAY_OPERATOR_LISTEN: 'off' }).operatorListen).toBeNull()
})

describe('provider names', () => {
  const disabled = { adapter: 'disabled' }
  const three = { first: disabled, second: disabled, third: disabled }

  test('a file that states one of the default names keeps the other two', () => {
    const { providerNames, models } = withFile(provider({}))
    expect(providerNames.models).toEqual(['model_provider_a', 'model_provider_b', 'model_provider_c'])
    expect(models.providers.model_provider_b).toMatchObject({
      adapter: 'openai',
      timeoutMs: 120_000,
      maxPromptChars: 200_000,
    })
    expect(models.providers.model_provider_a).toMatchObject({ adapter: 'local' })
  })

  test('three other names replace the default ones, and the first of them is the default', () => {
    const { providerNames, models } = withFile({ models: { providers: three } })
    expect(providerNames.models).toEqual(['first', 'second', 'third'])
    expect(models.default).toBe('first')
  })

  test.each([
    ['one', { first: disabled }],
    ['two', { first: disabled, second: disabled }],
    ['four', { ...three, fourth: disabled }],
    ['a mixture', { model_provider_a: disabled, second: disabled }],
  ])('%s other names are refused', (_, providers) => {
    expect(faultOf(() => withFile({ models: { providers } }))).toMatch(
      /^models\.providers: names \d providers\. Configure exactly three, or use only the names model_provider_a, /,
    )
  })

  test.each(['', '1st', 'with space', 'a/b', 'x'.repeat(65), 'naïve'])('"%s" is not a valid name', (name) => {
    const providers = { [name]: disabled, second: disabled, third: disabled }
    expect(faultOf(() => withFile({ models: { providers } }))).toContain('is not a valid name')
  })

  test('shops follow the same rule, and one that is left out is disabled', () => {
    const shop = { baseUrl: 'http://127.0.0.1:9200' }
    const { providerNames, shopping } = withFile({
      shopping: { mode: 'pick-http', providers: { shop_provider_b: shop } },
    })
    expect(providerNames.shops).toHaveLength(3)
    expect(shopping.providers.shop_provider_a).toBeNull()
    expect(shopping.providers.shop_provider_b).toMatchObject({ ...shop, linkHosts: [], timeoutMs: 10_000 })
    expect(faultOf(() => withFile({ shopping: { providers: { other: shop } } }))).toMatch(/^shopping\.providers: /)
  })
})

describe('delivery', () => {
  test.each([
    [{ GATEWAY_SMS: 'http' }, 'sms.http: is missing, and GATEWAY_SMS=http needs it. Add it; '],
    [{ GATEWAY_SMS: 'aliyun' }, 'sms.aliyun: is missing, and GATEWAY_SMS=aliyun needs it. Add it; '],
    [{ GATEWAY_SMS: 'tencent' }, 'sms.tencent: is missing, and GATEWAY_SMS=tencent needs it. Add it; '],
    [{ GATEWAY_EMAIL: 'smtp' }, 'email.from: is missing, and GATEWAY_EMAIL=smtp needs it. Add it; '],
  ])('%o without its settings is refused in one line', (variables, line) => {
    const fault = faultOf(() => loadConfig(variables))
    expect(fault.startsWith(line)).toBe(true)
    expect(fault).not.toContain('\n')
  })

  test('the settings of other adapters may be incomplete only by being left out', () => {
    expect(faultOf(() => withFile({ sms: { tencent: { sdkAppId: '1400' } } }))).toMatch(
      /^sms\.tencent\.signName: is missing\. /,
    )
  })

  test.each(['Gateway <no-reply@gateway.example>', 'a@b\nBcc: c@d', 'a@b, c@d', 'unknown'])(
    'email.from "%s" is refused',
    (from) => {
      expect(faultOf(() => withFile({ email: { from } }))).toMatch(/^email\.from: must match pattern/)
    },
  )
})

test('a credential is read at each call and never kept', () => {
  const variables: Variables = { MODEL_B_KEY: 'credential one' }
  const config = loadConfig(variables)
  expect(config.credential('MODEL_B_KEY')).toBe('credential one')
  variables.MODEL_B_KEY = 'credential two'
  expect(config.credential('MODEL_B_KEY')).toBe('credential two')
  variables.MODEL_B_KEY = ''
  expect(config.credential('MODEL_B_KEY')).toBeUndefined()
  expect(JSON.stringify(config)).not.toContain('credential one')
})

test('a provider whose credential is missing does not stop the start', () => {
  expect(() => withFile(provider({ apiKeyEnv: 'NOT_SET' }))).not.toThrow()
})

test('two loaded configurations share no mutable state', () => {
  const [first, second] = [loadConfig({}), loadConfig({})]
  expect(first.models.providers.model_provider_a).not.toBe(second.models.providers.model_provider_a)
  expect(first.limits).not.toBe(second.limits)
})

test('every number of the file has a minimum, a maximum and a description', () => {
  const numbers: object[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && [node.type].flat().includes('integer')) numbers.push(node)
    Object.values(node).forEach(visit)
  }
  visit(FileSchema)
  expect(numbers.length).toBeGreaterThan(20)
  for (const number of numbers) {
    expect(number).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) })
    expect(number).toHaveProperty('description')
  }
})

test('the schema of the file is a valid schema', () => {
  const ajv = new Ajv2020({ strict: false })
  expect(ajv.validateSchema(FileSchema), ajv.errorsText()).toBe(true)
})
