import { setTimeout as delay } from 'node:timers/promises'
import type { Tally } from '../contestants/contestant.ts'
import type { LoadGenerator } from '../load/load.ts'
import { median } from '../statistics.ts'
import type { Site } from './site.ts'

export interface InstancesResult {
  readonly instances: number
  readonly callsPerSecond: number
  readonly p99Ms: number
}

const connections = 64
const counts = [1, 2, 4]
export const mostInstances = Math.max(...counts)

/** The same number of connections spread over more and more gateways on one database, with one load generator each. */
export async function measureInstances(
  site: Site,
  generator: LoadGenerator,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<{ results: InstancesResult[]; tally: Tally; faults: string[] }> {
  const tally: Tally = { answered: 0, cutOff: 0 }
  const faults: string[] = []
  const speeds = new Map(counts.map((count) => [count, { calls: [] as number[], p99: [] as number[] }]))
  // The first round warms them up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const count of counts) {
      const used = site.gateways.slice(0, count)
      const loads = await Promise.all(
        used.map((gateway, place) =>
          generator.drive(site.contestant(`instance-${place}`, 'many', gateway).plan(`r${round}-of-${count}`), {
            connections: connections / count,
            seconds,
          }),
        ),
      )
      for (const { requests, refused, broken } of loads) {
        tally.answered += requests
        if (refused + broken > 0) faults.push(`${count} instances: ${refused} calls refused, ${broken} broken`)
      }
      tally.cutOff += connections
      await delay(250)
      if (round === 0) continue
      const calls = loads.reduce((sum, load) => sum + load.requests / load.seconds, 0)
      speeds.get(count)!.calls.push(calls)
      speeds.get(count)!.p99.push(Math.max(...loads.map(({ p99Ms }) => p99Ms)))
      console.log(`round ${round}/${rounds}  ${count} instances  ${Math.round(calls).toLocaleString('en-US')}/s`)
    }
  }
  const results = [...speeds].map(([instances, { calls, p99 }]) => ({
    instances,
    callsPerSecond: median(calls),
    p99Ms: median(p99),
  }))
  return { results, tally, faults }
}
