import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/base/ids.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import type { InstanceLease } from '../../src/ledger/instance-lease.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { createRecovery, type RecoveryDeps } from '../../src/relay/recover.ts'
import { engines, freshStore } from '../../testkit/store/engines.ts'
import {
  addCredits,
  type ChatOutcome,
  type Customer,
  chatCall,
  chatResult,
  createCustomer,
  createRig,
  createTestRelay,
  type Rig,
  testOperations,
} from '../../testkit/store/rig.ts'

describe.each(engines)('recovery on %s', (engine) => {
  let opened: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let customer: Customer
  let now = 1_800_000_000_000

  beforeEach(async () => {
    opened = await freshStore(engine)
    rig = createRig(opened.store, { clock: () => now })
    customer = await createCustomer(rig)
    await addCredits(rig, customer.projectId, 100)
  })
  afterEach(() => opened.remove())

  const leaseOf = (instanceId: string, live: string[]): InstanceLease => ({
    instanceId,
    start: async () => {},
    stop: async () => {},
    isHeld: () => true,
    canRecoverOthers: () => true,
    liveInstances: async () => live,
  })
  const recoveryDeps = (instanceId: string, live: string[], isUnderWay = (_: string) => false): RecoveryDeps => ({
    charges: rig.stores.charges,
    ledger: rig.ledger,
    lease: leaseOf(instanceId, live),
    isUnderWay,
    wasForwarded: () => false,
    clock: () => now,
    ownGraceMs: 60_000,
    onFault: () => {},
  })
  const recoveryOf = (...args: Parameters<typeof recoveryDeps>) => createRecovery(recoveryDeps(...args))

  /** An instance that dies with one call under way. */
  async function dieWithCallUnderWay(leavesProcess: boolean, idempotencyKey = 'key') {
    const instanceId = newId('ins')
    const { promise: forwarded, resolve: markForwarded } = Promise.withResolvers<void>()
    const { promise: outcome, resolve: finish } = Promise.withResolvers<ChatOutcome>()
    const operations = testOperations(() => {
      markForwarded()
      return outcome
    }, leavesProcess)
    const relay = createTestRelay(rig, operations, { instanceId })
    const response = relay.run(chatCall(customer, idempotencyKey, 'prompt'))
    await forwarded
    return { instanceId, relay, response, finish }
  }

  const credits = () => rig.stores.creditsOf(customer.projectId)
  const replay = () =>
    createTestRelay(
      rig,
      testOperations(async () => chatResult('again')),
    ).run(chatCall(customer, 'key', 'prompt'))

  it('recovery holds a call that left the process for review, and replays exactly that', async () => {
    await dieWithCallUnderWay(true)
    expect(await recoveryOf('new', ['new'])()).toEqual({ released: 0, reviewed: 1, failed: 0 })
    expect(await credits()).toEqual({ available: 97, reserved: 3 })
    const response = await replay()
    expect(response).toMatchObject({ status: 202, isReplay: true })
    expect(JSON.parse(response.body)).toEqual({
      status: 'manual_review',
      operation: 'model.chat',
      reservedCredits: 3,
      chargeId: expect.stringMatching(/^chg_/),
    })
  })

  it('recovery releases a call that never left the process and frees its key', async () => {
    await dieWithCallUnderWay(false)
    expect(await recoveryOf('new', ['new'])()).toEqual({ released: 1, reviewed: 0, failed: 0 })
    expect(await credits()).toEqual({ available: 100, reserved: 0 })
    expect(await replay()).toMatchObject({ status: 200, isReplay: false })
    expect(await credits()).toEqual({ available: 97, reserved: 0 })
  })

  it('recovery holds a call for review whose response could not be recorded because our own code failed', async () => {
    const instanceId = newId('ins')
    const uncertain: ChatOutcome = { kind: 'uncertain', reason: 'PROVIDER_TIMED_OUT', sent: true }
    const onUncertain = () => {
      throw new Error('broken on purpose')
    }
    for (const [key, leavesProcess] of [
      ['key', true],
      ['other key', false],
    ] as const) {
      const relay = createTestRelay(
        rig,
        testOperations(async () => uncertain, leavesProcess),
        { instanceId, onUncertain },
      )
      await expect(relay.run(chatCall(customer, key, 'prompt'))).rejects.toThrow('broken on purpose')
      now += 60_000
      const deps = { ...recoveryDeps(instanceId, [instanceId], relay.isUnderWay), wasForwarded: relay.wasForwarded }
      const ended = { released: leavesProcess ? 0 : 1, reviewed: leavesProcess ? 1 : 0, failed: 0 }
      expect(await createRecovery(deps)()).toEqual(ended)
    }
    expect(await replay()).toMatchObject({ status: 202, isReplay: true })
  })

  it('recovery leaves the calls of a living instance alone', async () => {
    const { instanceId, response, finish } = await dieWithCallUnderWay(true)
    expect(await recoveryOf('new', ['new', instanceId])()).toEqual({ released: 0, reviewed: 0, failed: 0 })
    finish(chatResult('in time'))
    expect(await response).toMatchObject({ status: 200 })
    expect(await credits()).toEqual({ available: 97, reserved: 0 })
  })

  it('recovery leaves an instance alone that takes its lease and its first charge while recovery begins', async () => {
    const live = ['new']
    let started: Awaited<ReturnType<typeof dieWithCallUnderWay>> | undefined
    const reserved: RecoveryDeps['charges']['reserved'] = async (...page) => {
      started = await dieWithCallUnderWay(true)
      live.push(started.instanceId)
      return rig.stores.charges.reserved(...page)
    }
    const deps = recoveryDeps('new', live)
    // As they are when they are asked for.
    const lease = { ...deps.lease, liveInstances: async () => [...live] }
    const recover = createRecovery({ ...deps, lease, charges: { ...deps.charges, reserved } })
    expect(await recover()).toEqual({ released: 0, reviewed: 0, failed: 0 })
    started!.finish(chatResult('in time'))
    expect(await started!.response).toMatchObject({ status: 200 })
  })

  it('recovery ends each charge once when several instances try at the same time', async () => {
    await dieWithCallUnderWay(false)
    const reports = await Promise.all(['a', 'b', 'c', 'd'].map((id) => recoveryOf(id, ['a', 'b', 'c', 'd'])()))
    expect(reports.reduce((sum, report) => sum + report.released, 0)).toBe(1)
    expect(await credits()).toEqual({ available: 100, reserved: 0 })
    expect((await reconcile(opened.store)).differences).toEqual([])
  })

  it('recovery gives an instance that comes back the recorded result, and charges nothing', async () => {
    const { response, finish } = await dieWithCallUnderWay(false)
    await recoveryOf('new', ['new'])()
    finish(chatResult('too late'))
    expect(await response).toMatchObject({ status: 502, isReplay: false })
    expect(await credits()).toEqual({ available: 100, reserved: 0 })
  })

  it('recovery releases its own charge that belongs to no running call, once it is old enough', async () => {
    const { instanceId } = await dieWithCallUnderWay(true)
    const recover = recoveryOf(instanceId, [instanceId])
    expect(await recover()).toEqual({ released: 0, reviewed: 0, failed: 0 })
    now += 60_000
    expect(await recoveryOf(instanceId, [instanceId], () => true)()).toEqual({ released: 0, reviewed: 0, failed: 0 })
    expect(await recover()).toEqual({ released: 1, reviewed: 0, failed: 0 })
    expect(await credits()).toEqual({ available: 100, reserved: 0 })
  })

  it('recovery leaves a charge alone whose outcome a stopping instance could not record', async () => {
    const instanceId = newId('ins')
    const down = { ...rig.ledger, end: () => Promise.reject(new Error('the store is away')) }
    const relay = createTestRelay(
      rig,
      testOperations(async () => chatResult('paid for')),
      { ledger: down, instanceId },
    )
    await expect(relay.run(chatCall(customer, 'key', 'prompt'))).rejects.toThrow('the store is away')
    await relay.close()
    now += 60_000
    expect(await recoveryOf(instanceId, [instanceId], relay.isUnderWay)()).toMatchObject({ released: 0 })
    // The next instance to start knows that it was forwarded.
    expect(await recoveryOf('next', ['next'])()).toMatchObject({ reviewed: 1 })
    expect(await replay()).toMatchObject({ status: 202, isReplay: true })
  })

  it('recovery continues past a charge that cannot be ended, and reports it once', async () => {
    await dieWithCallUnderWay(true, 'stuck')
    const [stuck] = await rig.stores.charges.reserved('', 1)
    await dieWithCallUnderWay(true, 'key')
    const ledger: Ledger = {
      ...rig.ledger,
      end: (command) =>
        command.chargeId === stuck!.chargeId ? Promise.reject(new Error('a damaged row')) : rig.ledger.end(command),
    }
    const faults: string[] = []
    const recover = createRecovery({
      ...recoveryDeps('new', ['new']),
      ledger,
      onFault: (_, { chargeId }) => faults.push(chargeId),
    })
    expect(await recover()).toEqual({ released: 0, reviewed: 1, failed: 1 })
    expect(await recover()).toEqual({ released: 0, reviewed: 0, failed: 1 })
    expect(faults).toEqual([stuck!.chargeId])
  })

  it('recovery stops its round when the store is unavailable, instead of trying every charge', async () => {
    await dieWithCallUnderWay(true, 'one')
    await dieWithCallUnderWay(true, 'two')
    const away = () => Promise.reject(new Error('the store is away'))
    let tried = 0
    const ledger: Ledger = {
      ...rig.ledger,
      end: () => {
        tried += 1
        return away()
      },
    }
    const charges = { ...rig.stores.charges, find: away }
    const recover = createRecovery({ ...recoveryDeps('new', ['new']), ledger, charges })
    await expect(recover()).rejects.toThrow('the store is away')
    expect(tried).toBe(1)
  })

  it('recovery never charges a call again whose response was pruned', async () => {
    const relay = createTestRelay(
      rig,
      testOperations(async () => chatResult('once')),
    )
    await relay.run(chatCall(customer, 'key', 'prompt'))
    expect(await rig.stores.charges.pruneResponses(now, 100)).toBe(0)
    expect(await rig.stores.charges.pruneResponses(now + 1, 100)).toBe(1)
    await expect(replay()).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    expect(await credits()).toEqual({ available: 97, reserved: 0 })
  })
})
