import type { Verdict } from '../../testkit/storms/failover/verify.ts'
import { fixed, number, table } from '../report/table.ts'
import { median } from '../statistics.ts'
import { goals, type Measured } from './scenario.ts'

/** One round of one kind of fault. */
export interface Round extends Measured {
  readonly kind: string
  readonly verdict: Verdict
}

/** One line for each kind of fault. */
export function failoverTable(rounds: readonly Round[]): string {
  const kinds = Map.groupBy(rounds, ({ kind }) => kind)
  const rows = [...kinds].map(([kind, own]) => {
    const sum = (pick: (verdict: Verdict) => number) =>
      number(own.reduce((total, { verdict }) => total + pick(verdict), 0))
    const twice = sum(({ chargedTwice, forwardedTwice }) => chargedTwice + forwardedTwice)
    const seconds = valuesOf(own, 'secondsWithoutService')
    return [
      kind,
      String(own.length),
      sum(({ answered }) => answered),
      sum(({ keyless }) => keyless),
      sum(({ lost }) => lost),
      twice,
      sum(({ reviews }) => reviews),
      seconds.length === 0 ? '–' : `${median(seconds).toFixed(1)} / ${Math.max(...seconds).toFixed(1)}`,
      fixed(most(valuesOf(own, 'slowestCallSeconds')), 1),
      fixed(least(valuesOf(own, 'ratio')) ?? least(valuesOf(own, 'floodedRate')), 2),
      fixed(most(valuesOf(own, 'failedRequests')), 0),
    ]
  })
  const head = [
    'fault',
    'rounds',
    'calls answered',
    'of OpenAI and MCP clients',
    'lost',
    'charged or forwarded twice',
    'to review',
  ]
  return table(
    [...head, 'seconds without service, median / most', 'slowest call, s', 'rate of the others', 'failed requests'],
    rows,
  )
}

/** Promises that were broken. */
export const brokenPromises = (rounds: readonly Round[]): string[] =>
  rounds
    .filter(({ verdict: { lost, chargedTwice, forwardedTwice } }) => lost + chargedTwice + forwardedTwice > 0)
    .map(({ kind, verdict }) => `${kind}: ${JSON.stringify(verdict)}`)

/** Goals that were missed; no promise is broken by that. */
export function missedGoals(rounds: readonly Round[]): string[] {
  const { secondsWithoutService, ratio, failedRequests, floodedRate } = goals
  return rounds.flatMap((round) => [
    ...((round.secondsWithoutService ?? 0) > secondsWithoutService
      ? [
          `${round.kind}: ${fixed(round.secondsWithoutService!, 1)} s without service, the goal is ${secondsWithoutService}`,
        ]
      : []),
    ...((round.ratio ?? 1) < ratio
      ? [`${round.kind}: ${fixed(round.ratio!, 2)} of the rate, the goal is ${ratio}`]
      : []),
    ...((round.failedRequests ?? 0) > failedRequests
      ? [`${round.kind}: ${round.failedRequests} failed requests, the goal is ${failedRequests}`]
      : []),
    ...((round.floodedRate ?? 1) < floodedRate
      ? [`${round.kind}: ${fixed(round.floodedRate!, 2)} of the rate, the goal is ${fixed(floodedRate, 2)}`]
      : []),
  ])
}

const valuesOf = (rounds: readonly Round[], name: keyof Measured): number[] =>
  rounds.map((round) => round[name]).filter((value) => value !== undefined)

const least = (values: readonly number[]) => (values.length === 0 ? null : Math.min(...values))
const most = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values))
