import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { addCredits, type Customer, createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'
import { creditsPerCall } from '../workload.ts'
import type { Tally } from './contestant.ts'

export interface Store {
  readonly databaseUrl: string
  readonly dataDir: string
}

/** The largest amount of one order; a project gets as many orders as it needs. */
export const creditsPerOrder = 100_000
/** More than a run can spend. */
const amplyPerDay = { credits: 1_000_000_000, per: 'day' } as const
const silent = { info() {}, warn() {}, error() {} }
/** Reading a million charges in one transaction takes longer than the gateway allows. */
const transactionLimitMs = 1_800_000

/** Opens a store before or while the gateway runs, and closes it again. */
export async function withStore<T>(store: Store, work: (rig: Rig) => Promise<T>): Promise<T> {
  const engine = await openStore({ ...store, exclusive: false, transactionLimitMs, clock: Date.now, logger: silent })
  try {
    return await work(createRig(engine))
  } finally {
    await engine.close()
  }
}

/** Customers who paid for this many orders of 100,000 credits each. */
export const addCustomers = (
  store: Store,
  customers: { count: number; orders: number; hasBudgets?: boolean },
): Promise<Customer[]> =>
  withStore(store, async (rig) => {
    const made: Customer[] = []
    for (let i = 0; i < customers.count; i += 1) made.push(await createCustomer(rig, ['models:invoke', 'media:run']))
    for (let order = 0; order < customers.orders; order += 1)
      await Promise.all(made.map(({ projectId }) => addCredits(rig, projectId, creditsPerOrder)))
    if (customers.hasBudgets) {
      for (const { projectId, keyId } of made) await rig.namedKeys.update(projectId, keyId, { budget: amplyPerDay })
    }
    return made
  })

/** How many charges the traffic must have left: an exact number, or one per billed response. */
export type Expected =
  | { readonly charges: number }
  /** One open media job per response, its price still reserved. */
  | { readonly jobs: Tally }
  | { readonly responses: Tally; readonly before: number }

/** Everything that is wrong with the books after the traffic. */
export const faultsOfStore = (store: Store, expected: Expected): Promise<string[]> =>
  withStore(store, async ({ engine }) => {
    const faults: string[] = []
    if ('jobs' in expected) {
      const { jobs, held } = await engine.read(
        async (tx) => (await tx.get<Record<'jobs' | 'held', number>>(jobTotals))!,
      )
      const { answered, cutOff } = expected.jobs
      if (jobs < answered || jobs > answered + cutOff) faults.push(`${jobs} jobs instead of ${answered}`)
      if (held !== jobs) faults.push(`${jobs - held} of ${jobs} jobs are not open`)
      return [...faults, ...(await differencesOf(engine))]
    }
    const { charges, settled, available, reserved, bought } = await engine.read(
      async (tx) => (await tx.get<Totals>(totals))!,
    )
    const [least, most] =
      'charges' in expected
        ? [expected.charges, expected.charges]
        : [
            expected.before + expected.responses.answered,
            expected.before + expected.responses.answered + expected.responses.cutOff,
          ]
    if (charges < least || charges > most) faults.push(`${charges} charges instead of ${least} to ${most}`)
    if (settled !== charges) faults.push(`${charges - settled} of ${charges} charges did not settle`)
    if (reserved !== 0) faults.push(`${reserved} credits are still reserved`)
    const left = bought - creditsPerCall * settled
    if (available !== left) faults.push(`${available} credits are left instead of ${left}`)
    return [...faults, ...(await differencesOf(engine))]
  })

async function differencesOf(engine: Rig['engine']): Promise<string[]> {
  const { differences, differenceCount } = await reconcile(engine)
  return differenceCount > 0
    ? [`reconcile: ${differenceCount} differences, first ${JSON.stringify(differences[0])}`]
    : []
}

const jobTotals = `SELECT COUNT(*) AS jobs, COALESCE(SUM(CASE WHEN c.state = 'reserved' THEN 1 ELSE 0 END), 0) AS held
  FROM media_jobs j JOIN charges c ON c.charge_id = j.charge_id`

type Totals = Record<'charges' | 'settled' | 'available' | 'reserved' | 'bought', number>

const totals = `SELECT (SELECT COUNT(*) FROM charges) AS charges,
  (SELECT COUNT(*) FROM charges WHERE state = 'settled') AS settled,
  (SELECT COALESCE(SUM(available), 0) FROM balances) AS available,
  (SELECT COALESCE(SUM(reserved), 0) FROM balances) AS reserved,
  (SELECT COALESCE(SUM(amount), 0) FROM credit_lots) AS bought`
