import { expect, test } from 'vitest'
import { startGateway } from '../../testkit/gateway/gateway.ts'

test('starting on a public origin warns of plain http, simulated payment and made-up responses', async () => {
  const gateway = await startGateway({
    environment: { GATEWAY_ORIGIN: 'http://gateway.example', GATEWAY_PAYMENT_MODE: 'local-simulated' },
    file: {
      models: { providers: { model_provider_b: { adapter: 'local' } } },
      media: { providers: { media_provider_a: { adapter: 'local' } } },
      shopping: { mode: 'local-mock' },
    },
  })
  const warnings = gateway.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a setting is unsafe')
  await gateway.stop()
  expect(warnings).toMatchObject([
    { level: 40, what: expect.stringContaining('not https') },
    { level: 40, what: expect.stringContaining('payment is simulated'), remedy: 'Set GATEWAY_PAYMENT_MODE=disabled.' },
    {
      ...{ level: 40, remedy: 'Connect real providers, or disable these.' },
      what: 'the origin is public, and callers pay for made-up responses: models.providers.model_provider_b, shopping.mode, media.providers.media_provider_a',
    },
    { level: 40, what: 'the public pages do not say who runs the service' },
  ])
})

test('starting as the README says warns of nothing', async () => {
  const gateway = await startGateway()
  const warnings = gateway.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
  await gateway.stop()
  expect(warnings).toEqual([])
})

const pages = ['/', '/pricing', '/docs', '/docs/zh', '/verify', '/console', '/console/recharge']
const notice = 'Payments are simulated here: anyone can add credits for free.'

test('every page of a public gateway with simulated payment says so', async () => {
  const gateway = await startGateway({
    environment: { GATEWAY_ORIGIN: 'https://gateway.example', GATEWAY_PAYMENT_MODE: 'local-simulated' },
  })
  const shown = await Promise.all(pages.map((path) => gateway.send('GET', path, { host: 'gateway.example' })))
  shown.push(await gateway.operator('/'), await gateway.operator('/accounts'))
  await gateway.stop()
  for (const { status, text } of shown) {
    expect(status).toBe(200)
    expect(text.match(/<p class="page-notice" role="note">/g)).toHaveLength(1)
    expect(text).toContain(notice)
  }
})

test.each([
  ['on a loopback origin', {}],
  ['without simulated payment', { GATEWAY_ORIGIN: 'https://gateway.example' }],
])('no page has a notice %s', async (_, environment: Record<string, string>) => {
  const gateway = await startGateway({ environment })
  const host = environment.GATEWAY_ORIGIN ? 'gateway.example' : 'localhost:8787'
  const shown = await Promise.all(pages.map((path) => gateway.send('GET', path, { host })))
  shown.push(await gateway.operator('/'))
  await gateway.stop()
  for (const { status, text } of shown) expect([status, text.includes('class="page-notice"')]).toEqual([200, false])
})
