import { expect, test } from 'vitest'
import { startGateway } from '../../testkit/gateway/gateway.ts'

test('starting on a public origin warns of plain http and of simulated payment', async () => {
  const gateway = await startGateway({
    environment: { GATEWAY_ORIGIN: 'http://gateway.example', GATEWAY_PAYMENT_MODE: 'local-simulated' },
  })
  const warnings = gateway.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a setting is unsafe')
  await gateway.stop()
  expect(warnings).toMatchObject([
    { level: 40, what: expect.stringContaining('not https') },
    { level: 40, what: expect.stringContaining('payment is simulated'), remedy: 'Set GATEWAY_PAYMENT_MODE=disabled.' },
  ])
})

test('starting as the README says warns of nothing', async () => {
  const gateway = await startGateway()
  const warnings = gateway.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
  await gateway.stop()
  expect(warnings).toEqual([])
})
