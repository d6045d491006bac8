import { isoOf, isoOrNull } from '../../../../base/time.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { Engine } from '../../../../storage/engine.ts'
import type { ArchivedReads } from '../../archives/archived-reads.ts'
import type { LedgerRow } from '../leaves.ts'
import { archivedReceiptCharge, chargeFacts, findCharge } from './charge-facts.ts'
import { entriesOfCharge, entriesOfOrder, findEntry, findOrder, lotsOfOrder, type PlacedEntry, rowOf } from './store.ts'

export interface ReceiptSubject {
  readonly type: 'charge' | 'order' | 'grant' | 'withdrawal'
  readonly facts: object
  readonly rows: readonly LedgerRow[]
  /** The key that made the call. */
  readonly keyId?: string
}

interface SubjectDeps {
  readonly engine: Pick<Engine, 'read'>
  readonly archivedReads: Pick<ArchivedReads, 'subject' | 'entriesFrom'>
}

/** Finds what a receipt is about, also in the archives. */
export function createSubjects(deps: SubjectDeps) {
  const { engine } = deps
  const charge = chargeSubjects(deps)
  const order = orderSubjects(deps)

  async function entry(projectId: string, seq: number): Promise<ReceiptSubject> {
    const found = (await engine.read((tx) => findEntry(tx, projectId, seq))) ?? (await archivedEntry(projectId, seq))
    if (!found) throw new Refusal('ENTRY_NOT_FOUND')
    if (found.chargeId !== null) return charge(projectId, found.chargeId)
    if (found.orderId !== null) return order(projectId, found.orderId)
    const type = found.kind === 'withdraw' ? 'withdrawal' : 'grant'
    const facts = { seq, credits: found.amount, reference: found.reference, createdAt: isoOf(found.at) }
    return { type, facts, rows: [found] }
  }

  async function archivedEntry(projectId: string, seq: number): Promise<PlacedEntry | undefined> {
    const [entry] = (await deps.archivedReads.entriesFrom(projectId, seq)) ?? []
    return entry?.seq === seq ? { ...rowOf(entry), orderId: entry.orderId, reference: entry.reference } : undefined
  }

  return { charge, order, entry }
}

/** What was archived is read from its page: the tree still has its leaves. */
async function archivedRows(deps: SubjectDeps, projectId: string, subjectId: string): Promise<LedgerRow[]> {
  return (await deps.archivedReads.subject(projectId, subjectId))?.entries.map(rowOf) ?? []
}

function chargeSubjects(deps: SubjectDeps) {
  const { engine } = deps

  async function archivedCharge(projectId: string, chargeId: string): Promise<ReceiptSubject> {
    const found = await deps.archivedReads.subject(projectId, chargeId)
    if (!found?.charge) throw new Refusal('CHARGE_NOT_FOUND')
    const charge = archivedReceiptCharge(found.charge)
    return { type: 'charge', keyId: charge.keyId, facts: chargeFacts(charge), rows: found.entries.map(rowOf) }
  }

  return async function charge(projectId: string, chargeId: string): Promise<ReceiptSubject> {
    const found = await engine.read(async (tx) => {
      const charge = await findCharge(tx, projectId, chargeId)
      return charge && { charge, rows: await entriesOfCharge(tx, projectId, chargeId) }
    })
    if (!found) return archivedCharge(projectId, chargeId)
    const { charge, rows } = found
    // The reservation of a charge that ended later may be archived before it.
    const isWhole = rows.some(({ kind }) => kind === 'reserve')
    const before = isWhole ? [] : await archivedRows(deps, projectId, chargeId)
    return { type: 'charge', keyId: charge.keyId, facts: chargeFacts(charge), rows: [...before, ...rows] }
  }
}

const orderSubjects = (deps: SubjectDeps) =>
  async function order(projectId: string, orderId: string): Promise<ReceiptSubject> {
    const found = await deps.engine.read(async (tx) => {
      const order = await findOrder(tx, projectId, orderId)
      return (
        order && { order, lots: await lotsOfOrder(tx, orderId), rows: await entriesOfOrder(tx, projectId, orderId) }
      )
    })
    if (!found) throw new Refusal('ORDER_NOT_FOUND')
    const { order, lots, rows } = found
    const isWhole = lots.length === 0 || rows.some(({ kind }) => kind === 'credit')
    const before = isWhole ? [] : (await Promise.all(lots.map((lotId) => archivedRows(deps, projectId, lotId)))).flat()
    const { amountFen, paidFen, credits, pricingVersion, state } = order
    const times = {
      createdAt: isoOf(order.createdAt),
      paidAt: isoOrNull(order.paidAt),
      endedAt: isoOrNull(order.creditedAt),
    }
    return {
      type: 'order',
      facts: { orderId, amountFen, paidFen, credits, pricingVersion, state, ...times },
      rows: [...before, ...rows],
    }
  }
