import type { SimulationResult } from './simulate.ts'

/** What was counted over many worlds. */
export interface Totals {
  seeds: number
  unfinished: number
  calls: number
  steps: number
  commits: number
  readonly reached: Record<string, number>
}

export const noTotals = (): Totals => ({ seeds: 0, unfinished: 0, calls: 0, steps: 0, commits: 0, reached: {} })

const counted = ['seeds', 'unfinished', 'calls', 'steps', 'commits'] as const

/** Adds what another core has counted. */
export function addTotals(totals: Totals, more: Totals): void {
  for (const name of counted) totals[name] += more[name]
  for (const [name, times] of Object.entries(more.reached)) totals.reached[name] = (totals.reached[name] ?? 0) + times
}

export function addWorld(totals: Totals, { isUnfinished, calls, steps, commits, reached }: SimulationResult): void {
  const world = { seeds: isUnfinished ? 0 : 1, unfinished: isUnfinished ? 1 : 0, calls, steps, commits }
  addTotals(totals, { ...world, reached: Object.fromEntries(reached) })
}

/** Names that say that something went wrong outside the gateways. */
const faultNames =
  /^(fault|store|network|provider|media|message|webhook): |^payment: (lost|refused|said|closed|the callback was lost)/

/** One line of JSON, for programs and for people. */
export function describeTotals(
  totals: Totals,
  from: number,
  { cores, tookMs }: { cores: number; tookMs: number },
): string {
  const { reached, ...numbers } = totals
  const faults = Object.entries(reached).reduce((sum, [name, times]) => sum + (faultNames.test(name) ? times : 0), 0)
  const callsPerSecondAndCore = Math.round((totals.calls / cores / tookMs) * 1000)
  // The other calls were refused before anything was reserved, or repeated.
  const charges = reached['charge: none -> reserved'] ?? 0
  return JSON.stringify({ from: `0x${from.toString(16)}`, ...numbers, charges, faults, cores, callsPerSecondAndCore })
}

export function describeReach({ reached }: Totals, expected: readonly string[]): string {
  const missed = expected.filter((name) => !(name in reached))
  return missed.length === 0 ? 'everything was reached' : `not reached: ${missed.join('; ')}`
}
