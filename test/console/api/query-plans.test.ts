import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPaymentStore } from '../../../src/features/billing/payments/store/store.ts'
import { createReviewStore } from '../../../src/features/calls/reviews/store.ts'
import { createEventStore } from '../../../src/features/notifications/events/store.ts'
import { findAnything } from '../../../src/features/operators/lookup/search.ts'
import { createArchivedReads } from '../../../src/features/records/archives/archived-reads.ts'
import { chargeFilterOf, entryFilterOf } from '../../../src/features/records/reports/ledger.ts'
import { createSearch } from '../../../src/features/records/reports/search/search.ts'
import { createConsoleStore } from '../../../src/features/records/reports/store.ts'
import { usagePage } from '../../../src/features/records/reports/usage.ts'
import { createCharges } from '../../../src/relay/charge-store.ts'
import type { Engine, Value } from '../../../src/storage/engine.ts'
import type { OpenedEngine } from '../../../src/storage/open-engine.ts'
import { createReservedReader } from '../../../src/storage/postgres/reserved-charges.ts'
import { freshStore, httpEngines } from '../../../testkit/store/engines.ts'
import { type BusyProjects, seedBusyProjects } from '../../../testkit/store/seed-busy-projects.ts'

interface Asked {
  readonly sql: string
  readonly params: readonly Value[]
}

const count = 100_000
const anyCharge = chargeFilterOf({})
const anyEntry = entryFilterOf({})

describe.each(httpEngines)('with 100,000 charges of a project on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let projects: BusyProjects
  const asked: Asked[] = []
  let reports: ReturnType<typeof createConsoleStore>
  let orders: ReturnType<typeof createPaymentStore>['orders']
  beforeAll(async () => {
    fresh = await freshStore(engine)
    projects = await seedBusyProjects(fresh.store, count)
    reports = createConsoleStore(remembering(fresh.store, asked))
    orders = createPaymentStore(remembering(fresh.store, asked)).orders
  }, 120_000)
  afterAll(() => fresh.remove())

  /** The query plan of each statement that ran. */
  async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
    asked.length = 0
    await work()
    const explain = engine === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
    return fresh.store.read(async (tx) => {
      const plans: string[] = []
      for (const { sql, params } of asked) {
        const rows = await tx.all<Record<string, string>>(`${explain} ${sql}`, params)
        plans.push(rows.map((row) => row.detail ?? row['QUERY PLAN']).join('\n'))
      }
      return plans
    })
  }

  /** Words of a plan that scans a whole table or sorts. */
  const fullScan = {
    sqlite: /SCAN (charges|ledger_entries|orders|usage_days|events(?! USING))\b/,
    postgres: /Seq Scan on (charges|ledger_entries|orders|usage_days|events)\b/,
  }[engine]
  const sorting = { sqlite: /TEMP B-TREE/, postgres: /\bSort\b/ }[engine]

  async function expectIndexed(work: () => Promise<unknown>, ...indexes: string[]): Promise<void> {
    const plans = await plansOf(work)
    for (const plan of plans) {
      expect(plan).not.toMatch(fullScan)
      expect(plan).not.toMatch(sorting)
    }
    for (const index of indexes) expect(plans.join('\n')).toContain(index)
  }

  const placeInLedger = 'ledger_entries_by_number'
  const entriesById = { sqlite: 'SEARCH e USING INTEGER PRIMARY KEY', postgres: 'ledger_entries_pkey' }[engine]
  const reviews = { sqlite: 'charges_in_review', postgres: 'ledger_entries_in_review' }[engine]
  const chargesById = { sqlite: 'sqlite_autoindex_charges_1', postgres: 'charges_pkey' }[engine]

  test('charges are found through a range of the ledger, whatever the filter, and nothing else is sorted', async () => {
    for (const { projectId } of [projects.busy, projects.quiet]) {
      for (const filter of [anyCharge, { ...anyCharge, keyId: 'key_none' }, { ...anyCharge, id: 'req_none' }]) {
        const range = { projectId, from: 30_001, before: 34_001 }
        const plans = [
          ...(await plansOf(() => reports.charges(range, filter, 26))),
          ...(await plansOf(() => reports.reservedByDay(range, filter))),
        ]
        for (const plan of plans) {
          expect(plan).not.toMatch(fullScan)
          expect(plan).toContain(placeInLedger)
          expect(plan).toContain(entriesById)
          expect(plan).toContain(chargesById)
        }
      }
    }
  })

  test('a page of reviews uses the index of charges in review', async () => {
    for (const { projectId } of [projects.busy, projects.quiet]) {
      await expectIndexed(() => reports.reviews(projectId, 'chg_~', anyCharge, 26), reviews)
      const [filtered] = await plansOf(() =>
        reports.reviews(projectId, 'chg_~', { ...anyCharge, operation: 'model.chat' }, 26),
      )
      expect(filtered).toContain(reviews)
    }
  })

  test('pages of the ledger and of orders use their indexes', async () => {
    const { projectId } = projects.busy
    const [page] = await plansOf(() => reports.entries({ projectId, from: count - 26, before: count }, anyEntry, 26))
    expect(page).not.toMatch(fullScan)
    expect(page).toContain(placeInLedger)
    expect(page).toContain(entriesById)
    const [credits] = await plansOf(() => reports.rareEntries(projectId, count, { ...anyEntry, kind: 'credit' }, 26))
    expect(credits).not.toMatch(fullScan)
    expect(credits).toContain('credit_lots_by_project')
    expect(credits).toContain('ledger_entries_by_lot')
    const [grants] = await plansOf(() => reports.rareEntries(projectId, count, { ...anyEntry, kind: 'grant' }, 26))
    expect(grants).not.toMatch(fullScan)
    await expectIndexed(() => reports.enteredAt(projectId, 5), placeInLedger, entriesById)
    await expectIndexed(() => orders.page(projectId, null, 26), 'orders_by_project')
    const place = { createdAt: 1_700_000_050_000, orderId: 'ord_1' }
    await expectIndexed(() => orders.page(projectId, place, 26), 'orders_by_project')
  })

  test('charge details are read by id', async () => {
    const receipt = () => reports.details(projects.busy.projectId, 'chg_0V000000500')
    const plans = await plansOf(receipt)
    for (const plan of plans) expect(plan).not.toMatch(fullScan)
    expect(plans.join('\n')).toContain('ledger_entries_by_charge')
    expect((await receipt())?.entries).toHaveLength(2)
  })

  test('the overview and the daily usage read sums and held charges, never all charges', async () => {
    const { projectId } = projects.busy
    const plans = (await plansOf(() => reports.state(projectId, 19_760))).join('\n')
    expect(plans).toContain({ sqlite: 'charges_reserved', postgres: 'balances_pkey' }[engine])
    expect(plans).toContain(reviews)
    const days = (await plansOf(() => reports.settledBetween(projectId, 19_700, 19_760))).join('\n')
    expect(days).toContain({ sqlite: 'usage_days_by_project', postgres: 'usage_days' }[engine])
    // May read all of the few held charges and day rows, but no other charges.
    const others = `${plans}\n${days}`.replace('SCAN charges USING INDEX charges_reserved', '')
    expect(others).not.toMatch(/(SCAN|Seq Scan on) (charges|ledger_entries)\b/)
    expect(await reports.state(projectId, 19_760)).toMatchObject({ inReview: { charges: 200, credits: 600 } })
  })

  test('recovery and the operator read only charges that hold credits', async () => {
    const store = remembering(fresh.store, asked)
    const charges = createCharges(store as OpenedEngine, Date.now)
    const search = engine === 'sqlite' ? charges.reserved : createReservedReader(store, { clock: Date.now })
    const reserved = (await plansOf(() => search('', 500))).at(-1)
    expect(reserved).toContain(
      { sqlite: 'charges USING INDEX charges_reserved', postgres: 'Index Cond: (charge_id = back.charge_id)' }[engine],
    )
    if (engine === 'postgres') expect(reserved).toContain('Index Cond: (charge_id >= ')
    expect(reserved).not.toMatch(/SCAN charges$|Seq Scan on (charges|ledger_entries)/m)
    const [counted] = await plansOf(() => charges.countInReview())
    expect(counted).toContain(reviews)
    const [waiting] = await plansOf(() => createReviewStore(store).waiting('', 100))
    expect(waiting).toContain(reviews)
    for (const plan of [counted, waiting])
      expect(plan).not.toMatch(/SCAN charges$|Seq Scan on (charges|ledger_entries)|Merge|Hash/m)
  })

  test('events are listed and counted through the index of their project, and due ones through their own', async () => {
    const { projectId } = projects.busy
    await fresh.store.write((tx) => tx.run(seedEvents, [projectId, count / 10, projects.quiet.projectId]))
    await fresh.store.write((tx) => tx.run('ANALYZE events'))
    const events = createEventStore(remembering(fresh.store, asked))
    await expectIndexed(() => events.list(projectId, null, 26), 'events_by_project')
    await expectIndexed(() => events.list(projectId, 'evt_500', 26), 'events_by_project')
    await expectIndexed(() => events.list(projectId, null, 26, 'order.credited'), 'events_by_type')
    await expectIndexed(() => events.countUnread(projectId, 100), 'events_by_project')
    await expectIndexed(() => events.hasDue(1), 'events_due')
    await expectIndexed(() => events.countDue(1), 'events_due')
    expect(await events.countUnread(projectId, 100)).toBe(100)
  })

  test('operators and payers find ids and their beginnings by an index, in a bounded number of reads', async () => {
    const store = remembering(fresh.store, asked) as OpenedEngine
    const readKeyring = () => Promise.reject(new Error('no contact is looked for'))
    const directory = { page: () => Promise.reject(new Error('nothing is archived')) }
    const archives = createArchivedReads({ engine: store, directory, onUnreadable: () => {} })
    const find = createSearch({ engine: store, reports })
    for (const prefix of ['acc', 'prj', 'key', 'chg', 'req', 'ord', 'pay', 'rfd', 'job', 'evt']) {
      for (const wanted of [`${prefix}_0V`, `${prefix}_0V0000005000`, `${prefix}_0V000050`.padEnd(24, '0')]) {
        const plans = [
          ...(await plansOf(() => findAnything({ engine: store, archives, readKeyring }, wanted))),
          ...(await plansOf(() => find(projects.busy.projectId, wanted))),
        ]
        for (const plan of plans) expect(plan).not.toMatch(fullScan)
        expect(plans.length).toBeLessThan(150)
      }
    }
  })

  test('a call that is far from the newest is found by its request id, in its own project only', async () => {
    const requestId = 'req_0V000049'.padEnd(24, '9')
    const rename = "UPDATE charges SET request_id = $1 WHERE charge_id = 'chg_0V000050001'"
    await fresh.store.write((tx) => tx.run(rename, [requestId]))
    const find = createSearch({ engine: fresh.store, reports })
    expect(await find(projects.busy.projectId, requestId)).toMatchObject([{ chargeId: 'chg_0V000050001' }])
    expect(await find(projects.quiet.projectId, requestId)).toEqual([])
  })

  test('a page with a filter that few charges match ends early, and the following pages find them all', async () => {
    const { projectId } = projects.busy
    const found: string[] = []
    let after: string | undefined
    let requests = 0
    do {
      asked.length = 0
      const page = await usagePage(reports, projectId, { state: 'released', limit: 25, ...(after && { after }) })
      // The ends of the ledger, and growing ranges of it.
      expect(asked.length).toBeLessThanOrEqual(13)
      found.push(...page.items.map(({ chargeId }) => chargeId))
      after = page.nextAfter ?? undefined
      requests += 1
    } while (after !== undefined)
    expect(found).toEqual(['chg_0V000000007'])
    // 2560 of 200,000 entries each.
    expect(requests).toBe(79)
  })
})

/** All dispatched. */
/** One event in a hundred is of the first project; the others are of the last. */
const seedEvents = `INSERT INTO events (event_id, project_id, type, happened_at, data, due_at)
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2)
  SELECT 'evt_' || n, CASE WHEN n % 100 = 0 THEN $1 ELSE $3 END, 'order.credited', n, '{}', NULL FROM numbers`

function remembering(engine: Engine, asked: Asked[]): Engine {
  return {
    read: (work) =>
      engine.read((tx) =>
        work({
          all: (sql, params = []) => {
            asked.push({ sql, params })
            return tx.all(sql, params)
          },
          get: (sql, params = []) => {
            asked.push({ sql, params })
            return tx.get(sql, params)
          },
        }),
      ),
    write: (work) => engine.write(work),
    check: () => engine.check(),
    close: () => engine.close(),
  }
}
