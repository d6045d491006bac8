import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createConsoleStore } from '../../../../../src/features/records/reports/store.ts'
import type { createStatements } from '../../../../../src/features/records/transparency/receipts/statements.ts'
import { paymentWorld } from '../../../../../testkit/payments/world.ts'
import { createTree } from '../../../../../testkit/receipts/tree-rig.ts'
import { createTestAdministration } from '../../../../../testkit/store/administration.ts'
import { ending } from '../../../../../testkit/store/commands.ts'
import { engines, freshStore } from '../../../../../testkit/store/engines.ts'
import { admissionOf } from '../../../../../testkit/store/rig.ts'

const ada = { name: 'ada', via: 'web' } as const
const reason = 'asked for it'

describe.each(engines)('the statement of a month on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let world: Awaited<ReturnType<typeof paymentWorld>>
  let statements: ReturnType<typeof createStatements>
  const at = (time: string) => {
    world.clock.now = Date.parse(`2026-${time}+08:00`)
  }
  beforeAll(async () => {
    fresh = await freshStore(engine)
    // Begins on 3 September.
    world = await paymentWorld(fresh.store, 1000)
    const { rig, projectId } = world
    const tree = createTree({ engine: fresh.store, dataDir: fresh.database.dataDir, clock: () => world.clock.now })
    statements = tree.statements(createConsoleStore(fresh.store))
    const operate = createTestAdministration(rig, { approvalAboveCredits: null, clock: rig.clock })
    const move = (kind: 'grant' | 'withdraw', credits: number, reference: string) =>
      operate.moveCredits(ada, { projectId, kind, credits, reference, reason })
    const { keyId, apiKey } = await rig.keys.create(projectId, ['models:invoke'])
    const admit = async () => {
      const command = admissionOf(rig, { projectId, keyId, apiKey })
      expect(await rig.ledger.admit(command)).toEqual({ kind: 'reserved' })
      return command.chargeId
    }
    const end = (chargeId: string, to: 'settled' | 'released') =>
      rig.ledger.end(ending({ chargeId, projectId, to, at: world.clock.now, ...(to === 'released' && released) }))

    at('09-03T09:00:00')
    const { paymentId } = await world.create(4000)
    world.provider.pay(paymentId, 4000)
    world.clock.now += 3000
    await world.work()
    at('09-03T23:59:59')
    const overMidnight = await admit()
    at('09-04T00:00:01')
    await end(overMidnight, 'settled')
    await end(await admit(), 'released')
    at('09-07T12:00:00')
    await move('grant', 50, 'gift')
    await move('withdraw', 20, 'mistake')
    await operate.refundPayment(ada, { paymentId, amountFen: 600, reference: 'ticket', reason })
    await world.refund()
    at('09-30T23:00:00')
    const overMonths = await admit()
    at('10-02T08:00:00')
    await end(overMonths, 'settled')
  })
  afterAll(() => fresh.remove())

  const nothing = { recharged: 0, granted: 0, spent: 0, refunded: 0, withdrawn: 0, held: 0, released: 0 }

  test('the statement of a month shows every day with its movements and the balance at its end', async () => {
    const september = await statements.month(world.projectId, '2026-09')
    expect(september).toMatchObject({
      ...{ from: '2026-09-03', to: '2026-09-30', isOver: true, months: ['2026-10', '2026-09'] },
      opening: { available: 0, reserved: 0 },
      closing: { available: 364, reserved: 3 },
      totals: { recharged: 400, granted: 50, spent: 3, refunded: 60, withdrawn: 20, held: 69, released: 3 },
    })
    const days = new Map(september.days.map(({ day, ...movements }) => [day, movements]))
    expect(days.size).toBe(28)
    expect(days.get('2026-09-03')).toEqual({ ...nothing, recharged: 400, held: 3, available: 397, reserved: 3 })
    expect(days.get('2026-09-04')).toEqual({
      ...{ ...nothing, spent: 3, held: 3, released: 3 },
      ...{ available: 397, reserved: 0 },
    })
    expect(days.get('2026-09-05')).toEqual({ ...nothing, available: 397, reserved: 0 })
    expect(days.get('2026-09-07')).toEqual({
      ...{ ...nothing, granted: 50, withdrawn: 20, refunded: 60, held: 60 },
      ...{ available: 367, reserved: 0 },
    })
    expect(await statements.month(world.projectId, '2026-10')).toMatchObject({
      ...{ from: '2026-10-01', to: '2026-10-02', isOver: false },
      ...{ opening: september.closing, closing: { available: 364, reserved: 0 } },
      totals: { ...nothing, spent: 3 },
      days: [
        { day: '2026-10-01', available: 364, reserved: 3 },
        { day: '2026-10-02', spent: 3, available: 364, reserved: 0 },
      ],
    })
  })

  test('the statement of a month agrees with the signed one to the credit', async () => {
    for (const month of ['2026-09', '2026-10']) {
      const { opening, closing, totals, days, entries } = await statements.month(world.projectId, month)
      const [, payload] = (await statements.jws(world.projectId, month)).split('.')
      const signed = JSON.parse(Buffer.from(payload!, 'base64url').toString())
      expect(signed).toMatchObject({ opening, closing, count: entries })
      const sum = (kind: string) => signed.sums[kind] ?? 0
      expect(totals).toMatchObject({
        ...{ recharged: sum('credit'), granted: sum('grant'), spent: sum('settle') },
        ...{ held: sum('reserve'), released: sum('release') },
      })
      expect(totals.refunded + totals.withdrawn).toBe(sum('withdraw'))
      expect(days.at(-1)).toMatchObject(closing)
    }
  })

  test('the statement of a month is read once for two who ask at the same time, and another month has to wait', async () => {
    const first = statements.month(world.projectId, '2026-09')
    expect(statements.month(world.projectId, '2026-09')).toBe(first)
    await expect(statements.month(world.projectId, '2026-10')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await first
    await statements.month(world.projectId, '2026-10')
  })

  test('the statement of a month does not exist before the project or in the future', async () => {
    for (const month of ['2026-08', '2026-11']) {
      await expect(statements.month(world.projectId, month)).rejects.toMatchObject({ code: 'STATEMENT_NOT_FOUND' })
    }
  })
})

const code = 'ADAPTER_FAILURE'
const released = { response: { status: 502, code, body: '{}' }, reason: code } as const
