import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { freshStore, httpEngines } from '../../../../testkit/store/engines.ts'
import { admissionOf, type Customer, createCustomer, createRig, type Rig } from '../../../../testkit/store/rig.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5)

describe.each(httpEngines)('credits on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let customer: Customer
  beforeAll(async () => {
    fresh = await freshStore(engine)
    rig = createRig(fresh.store, { clock: () => at })
    customer = await createCustomer(rig)
  })
  afterAll(() => fresh.remove())

  const run = (...argv: string[]) => runCommand(fresh.database, argv, { clock: () => at })
  const move = async (kind: string, credits: string, reference: string, ...more: string[]) => {
    const { projectId } = customer
    const reason = ['--reason', 'bank transfer', '--by', 'Ada', '--json']
    const ran = await run('credits', kind, projectId, credits, '--reference', reference, ...reason, ...more)
    return { exitCode: ran.exitCode, ...JSON.parse(ran.stdout || '{}') }
  }
  const written = () =>
    fresh.store.read((tx) =>
      tx.get(`SELECT (SELECT COUNT(*) FROM ledger_entries) AS entries, (SELECT COUNT(*) FROM audit_entries) AS audits,
        (SELECT COUNT(*) FROM operator_movements) AS movements, (SELECT COUNT(*) FROM approvals) AS approvals`),
    )

  test('a grant adds credits that a call can spend, and a withdrawal takes the rest back', async () => {
    const { projectId } = customer
    expect(await move('grant', '100', 'bank 4711')).toEqual({
      exitCode: 0,
      projectId,
      credits: 100,
      reference: 'bank 4711',
      replayed: false,
      balance: { available: 100, reserved: 0 },
    })
    expect(await rig.ledger.admit(admissionOf(rig, customer))).toEqual({ kind: 'reserved' })
    expect(await move('withdraw', '97', 'refund 1')).toMatchObject({
      exitCode: 0,
      balance: { available: 0, reserved: 3 },
    })
    expect(await rig.ledger.admit(admissionOf(rig, customer))).toMatchObject({ code: 'INSUFFICIENT_PAID_CREDITS' })
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test('a repeat returns the first result; another amount is refused', async () => {
    const first = await move('grant', '40', 'bank 1')
    const before = await written()
    expect(await move('grant', '40', 'bank 1')).toEqual({ ...first, replayed: true })
    expect(await move('grant', '41', 'bank 1')).toMatchObject({
      exitCode: 1,
      error: { code: 'REFERENCE_ALREADY_USED' },
    })
    expect(await written()).toEqual(before)
  })

  test.each([
    ['grant', '1.5', 'CREDITS_INVALID'],
    ['grant', '0', 'CREDITS_INVALID'],
    ['grant', '100001', 'CREDITS_INVALID'],
    ['grant', '1e3', 'CREDITS_INVALID'],
    ['grant', 'many', 'CREDITS_INVALID'],
    ['withdraw', '0', 'CREDITS_INVALID'],
    ['withdraw', '0.5', 'CREDITS_INVALID'],
    ['withdraw', '1000000', 'AVAILABLE_CREDITS_EXCEEDED'],
  ])('%s %s is refused with %s, and nothing is written', async (kind, credits, code) => {
    const before = await written()
    expect(await move(kind, credits, `never ${kind} ${credits}`)).toEqual({
      exitCode: 1,
      error: { code, message: expect.any(String) },
    })
    expect(await written()).toEqual(before)
  })

  test('an unknown project is refused, in words without --json', async () => {
    const argv = ['credits', 'grant', 'prj_nobody', '5', '--reference', 'r', '--reason', 'r']
    expect(await run(...argv)).toEqual({ exitCode: 1, stdout: '', stderr: 'There is no project prj_nobody.\n' })
    expect(JSON.parse((await run(...argv, '--json')).stdout)).toEqual({
      error: { code: 'PROJECT_NOT_FOUND', message: 'There is no project prj_nobody.' },
    })
  })

  test.each([
    [['--reference', 'r']],
    [['--reason', 'r']],
    [['--reason', ' ', '--reference', 'r']],
    [['--reason', 'r', '--reference', 'two\nlines']],
    [['--reason', 'r', '--reference', 'x'.repeat(201)]],
  ])('a missing or wrong reason or reference is a usage error: %j', async (options) => {
    const before = await written()
    const ran = await run('credits', 'grant', customer.projectId, '5', '--json', ...options)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await written()).toEqual(before)
  })

  test('the audit log says who granted what, why, and what it was before', async () => {
    const { projectId } = customer
    const { balance } = await move('grant', '11', 'bank 99')
    const { items } = JSON.parse((await run('audit', 'list', '--json')).stdout)
    expect(items.at(-1)).toEqual({
      id: expect.stringMatching(/^aud_\w+$/),
      seq: items.length,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: new Date(at).toISOString(),
      by: 'Ada',
      via: 'command line',
      action: 'credits.grant',
      object: projectId,
      reason: 'bank transfer',
      before: { available: balance.available - 11, reserved: 3 },
      after: { available: balance.available, reserved: 3, credits: 11, reference: 'bank 99' },
    })
    const first = JSON.parse((await run('audit', 'list', '--json', '--limit', '2')).stdout)
    expect(first).toMatchObject({ items: items.slice(0, 2), nextAfter: items[1].id })
    const rest = JSON.parse((await run('audit', 'list', '--json', '--after', first.nextAfter)).stdout)
    expect(rest).toEqual({ items: items.slice(2), nextAfter: null })
  })

  test('the statement shows grants and withdrawals with their references', async () => {
    const { entries } = JSON.parse((await run('statement', customer.projectId, '--json')).stdout)
    expect(entries.slice(0, 3)).toMatchObject([
      { kind: 'grant', credits: 100, available: 100, order: null, reference: 'bank 4711' },
      { kind: 'reserve', reference: null },
      { kind: 'withdraw', credits: 97, available: 0, reserved: 3, reference: 'refund 1' },
    ])
  })
})
