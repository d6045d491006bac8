import { expect, test } from 'vitest'
import { newId, newSortableId } from '../../../src/base/ids.ts'
import type { LedgerRange } from '../../../src/features/records/archives/store.ts'
import type { PlacedCharge } from '../../../src/features/records/reports/charge-lists.ts'
import type { ReportStore } from '../../../src/features/records/reports/store.ts'
import { usagePage } from '../../../src/features/records/reports/usage.ts'

const entries = 1_000_000
const beginsAt = Date.UTC(2026, 8, 1)
const betweenMs = 50
const atOf = (seq: number) => beginsAt + seq * betweenMs

/** The ledger of a busy project, with one call at `seq`, and the ranges of it that were read. `isNear`: it was made when its id says. */
function busyLedger(seq: number, requestId: string, { isNear }: { readonly isNear: boolean }) {
  const read: LedgerRange[] = []
  const row = {
    seq,
    requestId,
    chargeId: 'chg_wanted',
    reservedAt: atOf(seq),
    endedAt: null,
    reason: null,
    latencyMs: null,
    usage: null,
  } as PlacedCharge
  const store: Partial<ReportStore> = {
    chargeOfRequest: async (_, id) => (isNear && id === requestId ? row.chargeId : undefined),
    details: async () => ({ charge: row, entries: [{ kind: 'reserve', seq }], decision: null }) as never,
    ledgerEnds: async () => ({ first: 1, last: entries, archivedUntil: null }),
    async charges(range, { id }) {
      read.push(range)
      return id === requestId && range.from <= seq && seq < range.before ? [row] : []
    },
  }
  const find = async () => (await usagePage(store as ReportStore, 'prj_busy', { id: requestId, limit: 25 })).items
  return { find, looked: () => read.reduce((sum, { from, before }) => sum + before - from, 0) }
}

test('a call of long ago is found by its request id without looking through the calls since', async () => {
  const seq = 1000
  const requestId = newSortableId('req', atOf(seq) - 200)
  const { find, looked } = busyLedger(seq, requestId, { isNear: true })
  expect(await find()).toMatchObject([{ chargeId: 'chg_wanted' }])
  expect(looked()).toBe(1)
})

test('a call whose request id says another time is found among the latest', async () => {
  const { find } = busyLedger(entries - 10, newSortableId('req', atOf(1000)), { isNear: false })
  expect(await find()).toMatchObject([{ chargeId: 'chg_wanted' }])
})

test('a request id without a time is searched for among the latest', async () => {
  const { find } = busyLedger(entries - 10, newId('req'), { isNear: false })
  expect(await find()).toMatchObject([{ chargeId: 'chg_wanted' }])
})
