import type { BillableOperation } from '../contract/prices.ts'

/** How the calls of an operation went in a period. */
export interface OperationFigures {
  /** Rounded down to a tenth, so that 100 means all of them. */
  readonly successPercent: number
  /** How long half, and 95 in 100, of the successful calls took at most, to two digits; null if none succeeded. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export const statusPeriods = ['lastHour', 'lastDay', 'last90Days'] as const
export type StatusPeriod = (typeof statusPeriods)[number]

/** Null for a period with too few calls. */
export type OperationStatus = { readonly operation: BillableOperation } & {
  readonly [Period in StatusPeriod]: OperationFigures | null
}

export type IncidentState = 'planned' | 'open' | 'ended'

export interface PublicIncident {
  readonly incidentId: string
  readonly state: IncidentState
  readonly zh: string
  readonly en: string
  readonly from: string
  readonly to: string | null
}

/** The body of `/status.json`, which the page and the feed show too. */
export interface StatusDocument {
  readonly state: 'ok' | 'degraded' | 'incident'
  /** When the figures were read; null if they could not be read yet. */
  readonly updatedAt: string | null
  /** A period with fewer calls has no figures. */
  readonly fewestCalls: number
  readonly operations: readonly OperationStatus[]
  /** Open ones first, then planned ones, each the newest first. */
  readonly incidents: readonly PublicIncident[]
}
