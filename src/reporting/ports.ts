import type { LedgerEntry } from '../contract/console/ledger.ts'
import type { Charge } from '../contract/console/usage.ts'
import type { DayNumber } from './days.ts'

/** What reports ask of storage. Every read is of one project, takes the newest first and is bounded. */
export interface ReportStore {
  readonly standing: (projectId: string, since: DayNumber) => Promise<Standing>
  readonly settledSince: (projectId: string, since: DayNumber) => Promise<SettledDay[]>
  readonly charges: (range: ChargeRange, limit: number) => Promise<ChargeRow[]>
  /** Looks at no more than `window` charges for those that pass the filter. */
  readonly chargesAmong: (look: ChargeLook, limit: number) => Promise<ChargesFound>
  readonly reviews: (range: ChargeRange, limit: number) => Promise<ChargeRow[]>
  readonly receipt: (projectId: string, chargeId: string) => Promise<ReceiptRows | undefined>
  readonly entries: (projectId: string, beforeSeq: number, limit: number) => Promise<EntryRow[]>
  readonly enteredAt: (projectId: string, seq: number) => Promise<number | undefined>
  readonly entryCount: (projectId: string) => Promise<number>
  readonly orders: (projectId: string, before: OrderPlace | null, limit: number) => Promise<OrderRow[]>
}

export interface Held {
  readonly charges: number
  readonly credits: number
}

/** All of one moment. */
export interface Standing {
  readonly available: number
  readonly reserved: number
  readonly credited: number
  readonly underWay: Held
  readonly inReview: Held
  readonly hasKey: boolean
  readonly hasCall: boolean
  readonly settled: readonly SettledDay[]
}

export interface SettledDay {
  readonly day: DayNumber
  readonly operation: Charge['operation']
  readonly calls: number
  readonly credits: number
}

/** Charge ids from `from` on, up to but without `before`. */
export interface ChargeRange {
  readonly projectId: string
  readonly from: string
  readonly before: string
}

export interface ChargeFilter {
  readonly operation: Charge['operation'] | null
  readonly state: Charge['state'] | null
  readonly keyId: string | null
}

export interface ChargeLook extends ChargeRange {
  readonly filter: ChargeFilter
  readonly window: number
}

export interface ChargesFound {
  readonly rows: ChargeRow[]
  /** The last charge that was looked at; null when there is none after it. */
  readonly lookedThrough: string | null
}

export interface ChargeRow extends Omit<Charge, 'reservedAt' | 'endedAt' | 'reason'> {
  readonly reservedAt: number
  readonly endedAt: number | null
  readonly reason: string | null
}

export interface ReceiptRows {
  readonly charge: ChargeRow & { readonly pricingVersion: string; readonly usage: string | null }
  /** Oldest first. */
  readonly entries: EntryRow[]
  readonly decision: {
    readonly decision: 'settled' | 'released'
    readonly reason: string
    readonly decidedAt: number
  } | null
}

export interface EntryRow extends Omit<LedgerEntry, 'enteredAt'> {
  readonly enteredAt: number
}

export interface OrderPlace {
  readonly createdAt: number
  readonly orderId: string
}

export interface OrderRow extends OrderPlace {
  readonly projectId: string
  readonly amountFen: number
  readonly creditAmount: number
  readonly pricingVersion: string
  readonly state: 'pending' | 'simulated_paid' | 'credited'
  readonly creditedAt: number | null
}
