import type { DayNumber } from '../../base/time.ts'
import { reportingZone } from '../../base/time.ts'
import type { LedgerRange } from '../archives/store.ts'
import type { Charge, LedgerEntry } from './contract.ts'

/** The time on a clock in Shanghai, as spreadsheet programs read it. */
export const localTime = (at: number): string =>
  new Date(at + reportingZone.offsetMs).toISOString().replace('T', ' ').slice(0, 23)

/** What reports ask of storage. Every read is of one project, takes the newest first and is bounded. */
export interface ReportStore {
  readonly standing: (projectId: string, since: DayNumber) => Promise<Standing>
  /** From the one day to the other, both included. */
  readonly settledBetween: (projectId: string, first: DayNumber, last: DayNumber) => Promise<SettledDay[]>
  /** The same of the charges that were reserved in a range of the ledger and pass the filter, by the day of that. */
  readonly reservedByDay: (range: LedgerRange, filter: ChargeFilter) => Promise<SettledDay[]>
  /** Of the charges that were reserved in a range of the ledger, those that pass the filter. */
  readonly charges: (range: LedgerRange, filter: ChargeFilter, limit: number) => Promise<PlacedCharge[]>
  /** Of the charges in review before the one named, those that pass the filter. */
  readonly reviews: (place: ReviewPlace, filter: ChargeFilter, limit: number) => Promise<ChargeRow[]>
  readonly receipt: (projectId: string, chargeId: string) => Promise<ReceiptRows | undefined>
  readonly entries: (range: LedgerRange, filter: EntryFilter, limit: number) => Promise<EntryRow[]>
  /** Entries of recharges, grants or withdrawals before a number; there are few, and they are found without the others. */
  readonly rareEntries: (projectId: string, before: number, filter: EntryFilter, limit: number) => Promise<EntryRow[]>
  readonly enteredAt: (projectId: string, seq: number) => Promise<number | undefined>
  /** The numbers of the first entry in the store, after those that were archived, and of the last one; 1 and 0 if there is none. */
  readonly ledgerEnds: (projectId: string) => Promise<LedgerEnds>
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

interface LedgerEnds {
  readonly first: number
  readonly last: number
  /** The latest time of an archived entry; null if none was archived. */
  readonly archivedUntil: number | null
}

interface ReviewPlace {
  readonly projectId: string
  readonly beforeChargeId: string
}

/** `fromAt` is in, `toAt` is out; of the rest null stands for any. */
export interface ChargeFilter {
  readonly operation: Charge['operation'] | null
  readonly state: Charge['state'] | null
  readonly keyId: string | null
  /** Of the charge or of its request. */
  readonly id: string | null
  readonly fromAt: number
  readonly toAt: number
}

export interface EntryFilter {
  readonly kind: LedgerEntry['kind'] | null
  readonly fromAt: number
  readonly toAt: number
}

export interface ChargeRow extends Omit<Charge, 'reservedAt' | 'endedAt' | 'reason'> {
  readonly reservedAt: number
  readonly endedAt: number | null
  readonly reason: string | null
}

/** A charge with the place of its reservation in the ledger. */
export interface PlacedCharge extends ChargeRow {
  readonly seq: number
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
