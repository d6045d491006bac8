import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAccounts } from '../../../src/features/identity/accounts/operator/actions.ts'
import { operatedAccounts } from '../../../src/features/identity/accounts/operator/store.ts'
import { createProviderDay, failuresBetween } from '../../../src/features/operators/providers/provider-day.ts'
import { confirmed, type Outcome } from '../../../src/providers/outcome.ts'
import { byOutcome, createProviderWatch } from '../../../src/providers/provider-watch.ts'
import type { Engine } from '../../../src/storage/engine.ts'
import { engines, freshStore } from '../../../testkit/store/engines.ts'

const count = 2000
/** Every seventh spent nothing, every fiftieth is suspended; several share a time and an amount. */
const number = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`
const seed = [
  `INSERT INTO accounts (account_id, name, recovery_email_digest, recovery_email_masked, recovery_email_state, password_digest,
      created_at, suspended_at)
    ${number} SELECT 'acc_' || n, 'x', 'd' || n, 'm', 'pending_verification', 'p', n / 3,
      CASE WHEN n % 50 = 0 THEN n / 100 END FROM numbers`,
  `INSERT INTO identities (identity_subject, account_id, phone_digest, phone_masked, verified_at)
    ${number} SELECT 's' || n, 'acc_' || n, 'p' || n, '138', 1 FROM numbers`,
  `INSERT INTO projects (project_id, account_id, name, created_at)
    ${number} SELECT 'prj_' || n, 'acc_' || n, 'x', 1 FROM numbers`,
  `INSERT INTO balances (project_id, settled, credited)
    ${number} SELECT 'prj_' || n, n % 7 * (n / 20), n % 7 * (n / 20) FROM numbers`,
]

describe.each(engines)('lists for operators on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  beforeAll(async () => {
    fresh = await freshStore(engine)
    await fresh.store.write(async (tx) => {
      for (const sql of seed) await tx.run(sql)
    })
    await fresh.store.write((tx) => tx.run('ANALYZE'))
  })
  afterAll(() => fresh.remove())

  async function copySpending(): Promise<void> {
    for (let after: string | null = ''; after !== null; ) {
      const from: string = after
      after = await operatedAccounts(fresh.store).write((tx) => tx.copySpending(from, 300))
    }
  }
  async function everything(order: 'newest' | 'spending' | 'suspended', limit = 77) {
    const rows: Awaited<ReturnType<typeof listAccounts>>['rows'][number][] = []
    let after: string | undefined
    do {
      const page = await listAccounts({ engine: fresh.store } as never, { order, limit, ...(after && { after }) })
      rows.push(...page.rows)
      after = page.next ?? undefined
    } while (after !== undefined)
    return rows
  }
  const isFalling = (values: readonly number[]) => values.every((value, i) => i === 0 || value <= values[i - 1]!)

  test('each order has every account exactly once, over all pages', async () => {
    await copySpending()
    const newest = await everything('newest')
    expect(new Set(newest.map(({ accountId }) => accountId)).size).toBe(count)
    expect(newest).toHaveLength(count)
    expect(isFalling(newest.map(({ createdAt }) => createdAt))).toBe(true)
    const suspended = await everything('suspended', 7)
    expect(suspended).toHaveLength(count / 50)
    expect(isFalling(suspended.map(({ suspendedAt }) => suspendedAt!))).toBe(true)
    const spenders = await everything('spending')
    expect(new Set(spenders.map(({ accountId }) => accountId)).size).toBe(spenders.length)
    expect(spenders).toHaveLength(newest.filter(({ settled }) => settled > 0).length)
    expect(isFalling(spenders.map(({ settled }) => settled))).toBe(true)
  })

  test('what was spent since then moves an account up', async () => {
    await fresh.store.write((tx) =>
      tx.run("UPDATE balances SET settled = 1000000, credited = 1000000 WHERE project_id = 'prj_7'"),
    )
    await copySpending()
    const { rows } = await listAccounts({ engine: fresh.store } as never, { order: 'spending', limit: 1 })
    expect(rows).toMatchObject([{ accountId: 'acc_7', settled: 1_000_000 }])
  })

  test('a page is read through an index, and sorts nothing', async () => {
    const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
    const indexes = { newest: 'accounts_by_creation', suspended: 'accounts_suspended', spending: 'by_amount' } as const
    for (const [order, index] of Object.entries(indexes)) {
      const asked: [string, readonly never[]][] = []
      const remembering = {
        read: (work: (tx: unknown) => unknown) =>
          fresh.store.read(
            (tx) =>
              work({
                ...tx,
                all: (sql: string, params: never[]) => tx.all(asked.push([sql, params]) ? sql : '', params),
              }) as never,
          ),
      }
      await listAccounts({ engine: remembering } as never, { order: order as 'newest', limit: 25, after: '900.acc_1' })
      const [sql, params] = asked[0]!
      const rows = await fresh.store.read((tx) => tx.all<Record<string, string>>(`${explain} ${sql}`, params))
      const plan = rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n')
      expect(plan).toContain(index)
      // By spending, only the rows of the page are sorted once more.
      if (order !== 'spending') expect(plan).not.toMatch(/TEMP B-TREE|\bSort\b/)
      expect(plan).not.toMatch(/SCAN a\b|Seq Scan on accounts/)
    }
  })

  test('the last day of a provider is the sum of all instances, and hours older than three days are gone', async () => {
    let now = Date.parse('2026-09-03T10:30:00.000Z')
    let ms = 0
    const instance = (instanceId: string) => {
      const watch = createProviderWatch(() => ms)
      const calls = async (times: number, outcome: Outcome<unknown>, tookMs: number) => {
        const call = watch.watched(byOutcome<unknown>('model'), async () => {
          ms += tookMs
          return outcome
        })
        for (let i = 0; i < times; i++) await call()
      }
      const providers = [{ kind: 'model' as const, name: 'a', watch }]
      return { calls, day: createProviderDay({ engine: fresh.store, providers, instanceId, clock: () => now }) }
    }
    const [one, two] = [instance('one'), instance('two')]
    const confirmed: Outcome<unknown> = { kind: 'confirmed', value: null } as never
    await one.calls(90, confirmed, 100)
    await one.calls(4, { kind: 'refused', code: 'PROMPT_TOO_LARGE' } as never, 1)
    await two.calls(5, { kind: 'unavailable', code: 'PROVIDER_UNAVAILABLE' } as never, 3000)
    await two.calls(1, { kind: 'uncertain', reason: 'PROVIDER_TIMED_OUT' } as never, 30_000)
    await two.day.store()
    const whole = { calls: 100, confirmed: 90, rejected: 4, failed: 5, uncertain: 1 }
    expect(await one.day.list()).toEqual([{ kind: 'model', name: 'a', ...whole, latency: { p50Ms: 114, p95Ms: 4379 } }])
    now += 3_600_000
    await one.calls(1, confirmed, 100)
    expect((await two.day.list())[0]!.calls).toBe(100)
    expect((await one.day.list())[0]!.calls).toBe(101)
    now += 23 * 3_600_000
    expect((await one.day.list())[0]!.calls).toBe(1)
    const from = Date.parse('2026-09-03T10:00:00.000Z')
    expect(await failuresBetween(fresh.store, from, from + 3_600_000)).toBe(6)
    expect(await failuresBetween(fresh.store, from + 3_600_000, now)).toBe(0)
    now += 53 * 3_600_000
    await one.calls(1, confirmed, 100)
    expect((await one.day.list())[0]!.calls).toBe(1)
    const rows = await fresh.store.read((tx) => tx.all('SELECT 1 AS found FROM provider_hours'))
    expect(rows).toHaveLength(1)
  })

  test('a store that is away loses no count', async () => {
    const watch = createProviderWatch()
    const providers = [{ kind: 'shop' as const, name: 'b', watch }]
    let isAway = true
    const { store: away } = fresh
    const faulty = {
      read: away.read.bind(away),
      write: (work: never) => (isAway ? Promise.reject(new Error('away')) : away.write(work)),
    } as unknown as Engine
    const day = createProviderDay({ engine: faulty, providers, instanceId: 'three', clock: () => 1 })
    await watch.watched(byOutcome('shop'), async () => confirmed(null))()
    await expect(day.store()).rejects.toThrow('away')
    isAway = false
    expect((await day.list())[0]).toMatchObject({ calls: 1, confirmed: 1 })
  })
})
