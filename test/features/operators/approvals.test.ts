import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdPrefix, newId, newSortableId } from '../../../src/base/ids.ts'
import { reconcile } from '../../../src/features/records/reconcile/reconcile.ts'
import { runCommand } from '../../../testkit/gateway/run-command.ts'
import { freshStore, httpEngines } from '../../../testkit/store/engines.ts'
import { type Customer, createCustomer, createRig, type Rig } from '../../../testkit/store/rig.ts'

describe.each(httpEngines)('approvals on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let customer: Customer
  let file: string
  beforeAll(async () => {
    fresh = await freshStore(engine)
    rig = createRig(fresh.store)
    customer = await createCustomer(rig)
    file = join(fresh.database.dataDir, 'config.json')
    await writeFile(file, JSON.stringify({ operators: { approvalAboveCredits: 100 } }))
  })
  afterAll(() => fresh.remove())

  const run = async (...argv: string[]) => {
    const ran = await runCommand(fresh.database, [...argv, '--json'], { environment: { GATEWAY_CONFIG: file } })
    return { exitCode: ran.exitCode, ...JSON.parse(ran.stdout || '{}') }
  }
  const move = (kind: string, credits: number, reference: string) =>
    run(
      'credits',
      kind,
      customer.projectId,
      String(credits),
      '--reference',
      reference,
      '--reason',
      'paid',
      '--by',
      'Ada',
    )
  const credits = () => rig.stores.creditsOf(customer.projectId)

  test('a grant up to the limit takes effect at once; a larger one waits for a second operator', async () => {
    expect(await move('grant', 100, 'small')).toMatchObject({ exitCode: 0, balance: { available: 100 } })
    const pending = await move('grant', 101, 'large')
    expect(pending).toEqual({ exitCode: 0, approval: { id: expect.stringMatching(/^apv_/), state: 'pending' } })
    expect(await move('grant', 101, 'large')).toEqual(pending)
    expect(await move('grant', 102, 'large')).toMatchObject({ exitCode: 1, error: { code: 'REFERENCE_ALREADY_USED' } })
    expect(await credits()).toMatchObject({ available: 100 })
    const { id } = pending.approval
    expect(await run('approvals', 'list')).toMatchObject({
      items: [{ id, state: 'pending', kind: 'grant', credits: 101, reference: 'large', requestedBy: 'Ada' }],
      nextAfter: null,
    })

    expect(await run('approvals', 'approve', id, '--by', 'ada')).toMatchObject({
      exitCode: 1,
      error: { code: 'APPROVAL_OWN_REQUEST' },
    })
    expect(await run('approvals', 'approve', id, '--by', 'Bea')).toMatchObject({
      exitCode: 0,
      approval: { id, state: 'approved' },
      credits: 101,
      balance: { available: 201 },
    })
    expect(await run('approvals', 'approve', id, '--by', 'Cem')).toMatchObject({
      exitCode: 1,
      error: { code: 'APPROVAL_NOT_PENDING', message: expect.stringMatching(/approved by Bea at /) },
    })
    expect(await move('grant', 101, 'large')).toMatchObject({ replayed: true, balance: { available: 201 } })
    expect(await run('approvals', 'list')).toMatchObject({ items: [] })
    expect(await run('approvals', 'list', '--state', 'all')).toMatchObject({ items: [{ id, decidedBy: 'Bea' }] })
  })

  test('a rejected request has no effect, and its reference may be used again', async () => {
    const { id } = (await move('withdraw', 150, 'wrong')).approval
    expect(await run('approvals', 'reject', id, '--by', 'Bea')).toEqual({
      exitCode: 0,
      approval: { id, state: 'rejected' },
    })
    expect(await run('approvals', 'approve', id, '--by', 'Cem')).toMatchObject({
      error: { code: 'APPROVAL_NOT_PENDING', message: expect.stringMatching(/rejected by Bea/) },
    })
    expect(await credits()).toMatchObject({ available: 201 })
    const again = await move('withdraw', 150, 'wrong')
    expect(again.approval.id).not.toBe(id)
    expect(await run('approvals', 'approve', again.approval.id, '--by', 'Bea')).toMatchObject({
      balance: { available: 51 },
    })
  })

  test('of two operators who decide an approval at once one wins, and the other learns who did', async () => {
    const { id } = (await move('grant', 1000, 'at once')).approval
    const both = await Promise.all([
      run('approvals', 'approve', id, '--by', 'Bea'),
      run('approvals', 'reject', id, '--by', 'Cem'),
    ])
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1])
    expect(both.find(({ exitCode }) => exitCode === 1)!.error.message).toMatch(/(approved by Bea|rejected by Cem)/)
    expect(await credits()).toMatchObject({ available: both[0]!.exitCode === 0 ? 1051 : 51 })
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test('what cannot be carried out stays pending, and an unknown one is refused', async () => {
    expect(await move('withdraw', 100_000, 'too much')).toMatchObject({ error: { code: 'AVAILABLE_CREDITS_EXCEEDED' } })
    expect(await run('approvals', 'approve', 'apv_none')).toMatchObject({
      exitCode: 1,
      error: { code: 'APPROVAL_NOT_FOUND' },
    })
    const { items } = await run('audit', 'list')
    expect(items.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['credits.grant.request', 'credits.grant.approve', 'credits.withdraw.reject']),
    )
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test.each(['rfd', 'pay', 'apv', 'ord'])('a reference that begins with an id of %s is refused', async (prefix) => {
    const id = newSortableId(prefix as IdPrefix, Date.now())
    const before = await credits()
    for (const reference of [id, ` ${id.toUpperCase()}`, `${id}:refunded`])
      expect(await move('grant', 200, reference)).toMatchObject({ exitCode: 1, error: { code: 'REFERENCE_INVALID' } })
    expect(await credits()).toEqual(before)
    expect(await run('approvals', 'list', '--state', 'pending')).toMatchObject({ items: [] })
  })

  test('a request id, which recovery advises as the reference, is accepted', async () => {
    const { id } = (await move('grant', 200, newId('req'))).approval
    expect(await run('approvals', 'approve', id, '--by', 'Bea')).toMatchObject({ exitCode: 0, credits: 200 })
  })

  test('a withdrawal from before, whose reference is the id of no refund, is still a withdrawal', async () => {
    const { id: granted } = (await move('grant', 500, 'credits to withdraw')).approval
    const { balance } = await run('approvals', 'approve', granted, '--by', 'Bea')
    const { id } = (await move('withdraw', 200, 'renamed')).approval
    const reference = newSortableId('rfd', Date.now())
    const rename = 'UPDATE approvals SET reference = $2, reference_key = $2 WHERE approval_id = $1'
    await fresh.store.write((tx) => tx.run(rename, [id, reference]))
    expect(await run('approvals', 'approve', id, '--by', 'Bea')).toMatchObject({
      ...{ exitCode: 0, reference, balance: { available: balance.available - 200 } },
    })
    const { items } = await run('approvals', 'list', '--state', 'approved')
    expect(items.at(-1)).toMatchObject({ subject: 'movement', subjectId: null, kind: 'withdraw', reference })
  })

  test.each(['refund', 'refund_decision'])('an approval of a %s that is not there is not found', async (subject) => {
    const { id } = (await move('grant', 200, `for ${subject}`)).approval
    const change = "UPDATE approvals SET subject = $2, subject_id = 'rfd_nobody00000000000000' WHERE approval_id = $1"
    await fresh.store.write((tx) => tx.run(change, [id, subject]))
    expect(await run('approvals', 'approve', id, '--by', 'Bea')).toMatchObject({
      ...{ exitCode: 1, error: { code: 'REFUND_NOT_FOUND' } },
    })
    expect(await run('approvals', 'reject', id, '--by', 'Bea')).toMatchObject({ exitCode: 0 })
  })
})
