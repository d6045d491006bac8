import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { freshStore, httpEngines } from '../../../../testkit/store/engines.ts'
import { type GoodHistory, startedAt, writeGoodHistory } from '../../records/reconcile/good-history.ts'

describe.each(httpEngines)('reviews on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let history: GoodHistory
  beforeAll(async () => {
    fresh = await freshStore(engine)
    history = await writeGoodHistory(fresh.store)
  })
  afterAll(() => fresh.remove())

  const run = (...argv: string[]) =>
    runCommand(fresh.database, ['reviews', ...argv], { clock: () => startedAt + 3 * 3_600_000 })
  const creditsOf = () => history.rig.stores.creditsOf(history.customer.projectId)
  const replay = (idempotencyKey: string) => history.rig.ledger.admit(history.admission('chg_again', idempotencyKey))
  const decisions = (chargeId: string) =>
    fresh.store.read((tx) => tx.all('SELECT * FROM review_decisions WHERE charge_id = $1', [chargeId]))

  test('the list shows what is in review, for how long and why', async () => {
    const { projectId } = history.customer
    const { waiting } = history.charges
    const listed = await run('list')
    expect(listed).toMatchObject({ exitCode: 0, stderr: '' })
    const [names, row, ...others] = listed.stdout.trimEnd().split('\n')
    expect(names!.split(/ {2,}/)).toEqual(['charge', 'project', 'operation', 'credits', 'age', 'reason'])
    expect(row!.split(/ {2,}/)).toEqual([waiting, projectId, 'model.chat', '3', '2 h', 'PROVIDER_CONNECTION_LOST'])
    expect(others).toEqual([])

    expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({
      reviews: [
        {
          chargeId: waiting,
          projectId,
          operation: 'model.chat',
          credits: 3,
          requestId: 'req_waiting',
          reservedAt: '2026-01-02T03:04:13.006Z',
          ageSeconds: 3 * 3600 - 8,
          reason: 'PROVIDER_CONNECTION_LOST',
          provider: null,
        },
      ],
      nextAfter: null,
    })
  })

  test('the list is paged and continues after the last charge', async () => {
    const held = [history.charges.waiting]
    for (const key of ['second', 'third', 'fourth']) held.push(await history.hold(key))
    const first = await run('list', '--limit', '3')
    expect(first.stdout.match(/chg_\w+/g)).toEqual(held.slice(0, 3))
    expect(first.stderr).toBe(`There are more. To continue, add --after ${held[2]}\n`)
    const rest = JSON.parse((await run('list', '--json', '--limit', '3', '--after', held[2]!)).stdout)
    expect(rest).toMatchObject({ reviews: [{ chargeId: held[3] }], nextAfter: null })
    expect(await run('list', '--limit', '1001')).toMatchObject({ exitCode: 2, stdout: '' })
  })

  test('settling spends the held credits, records who and why, and a repeated call gets the decision', async () => {
    const waiting = await history.hold('to settle')
    const before = await creditsOf()
    const ran = await run('settle', waiting, '--reason', ' the provider has the call ', '--by', 'Ada')
    expect(ran).toEqual({
      exitCode: 0,
      stdout: `${waiting} is settled: 3 credits of ${history.customer.projectId}, decided by Ada.\n`,
      stderr: '',
    })
    expect(await creditsOf()).toEqual({ available: before.available, reserved: before.reserved - 3 })
    expect(await decisions(waiting)).toEqual([
      {
        charge_id: waiting,
        decision: 'settled',
        reason: 'the provider has the call',
        decided_by: 'Ada',
        decided_at: startedAt + 3 * 3_600_000,
      },
    ])
    const replayed = await replay('to settle')
    expect(replayed).toMatchObject({ kind: 'replay', response: { status: 202 } })
    expect(JSON.parse((replayed as { response: { body: string } }).response.body)).toEqual({
      status: 'manual_review',
      operation: 'model.chat',
      reservedCredits: 3,
      chargeId: waiting,
      resolution: 'settled',
    })
    // The charge keeps the reason why it was held.
    expect(
      (await fresh.store.read((tx) => tx.get('SELECT reason FROM charges WHERE charge_id = $1', [waiting])))!,
    ).toEqual({
      reason: 'PROVIDER_CONNECTION_LOST',
    })
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test('releasing returns the held credits, and a repeated call gets the decision', async () => {
    const waiting = await history.hold('to release')
    const before = await creditsOf()
    const ran = await run('release', waiting, '--reason', 'never arrived', '--json')
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toEqual({
      chargeId: waiting,
      projectId: history.customer.projectId,
      credits: 3,
      state: 'released',
      by: expect.any(String),
      reason: 'never arrived',
      decidedAt: '2026-01-02T06:04:05.006Z',
    })
    expect(await creditsOf()).toEqual({ available: before.available + 3, reserved: before.reserved - 3 })
    expect(await decisions(waiting)).toMatchObject([{ decision: 'released', reason: 'never arrived' }])
    const replayed = await replay('to release')
    expect(replayed).toMatchObject({ kind: 'replay', response: { status: 502 } })
    expect(JSON.stringify(replayed)).toContain('ADAPTER_FAILURE')
    expect((await reconcile(fresh.store)).differences).toEqual([])
    expect((await run('list')).stdout).not.toContain(waiting)
  })

  test('a charge is decided once', async () => {
    const waiting = await history.hold('once')
    await run('release', waiting, '--reason', 'never arrived', '--by', 'Ada')
    const after = await creditsOf()
    const again = await run('settle', waiting, '--reason', 'it did arrive')
    expect(again).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `${waiting} is already released, decided by Ada at 2026-01-02T06:04:05.006Z: never arrived\n`,
    })
    expect(await creditsOf()).toEqual(after)
    expect(await decisions(waiting)).toHaveLength(1)
  })

  test('of two operators who decide a review at once, one is refused because it is already decided', async () => {
    const waiting = await history.hold('at once')
    const both = await Promise.all([
      run('settle', waiting, '--reason', 'one', '--by', 'Ada'),
      run('release', waiting, '--reason', 'two', '--by', 'Bea'),
    ])
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1])
    expect(both.map(({ stderr }) => stderr).join('')).toMatch(/is already (settled|released), decided by (Ada|Bea)/)
    expect(await decisions(waiting)).toHaveLength(1)
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test('only a charge in review can be decided', async () => {
    const { settled, reserved } = history.charges
    expect(await run('release', settled, '--reason', 'r')).toMatchObject({
      exitCode: 1,
      stderr: `${settled} is settled, not in review; there is nothing to decide\n`,
    })
    expect(await run('settle', reserved, '--reason', 'r')).toMatchObject({ exitCode: 1 })
    expect(await run('settle', 'chg_nobody', '--reason', 'r')).toMatchObject({
      exitCode: 1,
      stderr: 'there is no charge chg_nobody\n',
    })
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test('a decision needs a one-line reason', async () => {
    for (const reason of [[], ['--reason', '  '], ['--reason', 'x'.repeat(501)], ['--reason', 'two\nlines']]) {
      const ran = await run('settle', history.charges.waiting, ...reason)
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
      expect(ran.stderr).toContain('--reason')
    }
    expect(await decisions(history.charges.waiting)).toEqual([])
  })
})
