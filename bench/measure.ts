import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import type { Contestant, Tally } from './contestants/contestant.ts'
import { loopLagMs } from './contestants/gateway-server.ts'
import type { LoadGenerator, LoadOptions, LoadResult } from './load/load.ts'
import { cpuSeconds, loopCpuSeconds, residentMb } from './process-usage.ts'

/** One run of the load generator against one contestant. */
export interface Sample extends LoadResult {
  readonly round: number
  readonly connections: number
  readonly callsPerSecond: number
  readonly cpuMsPerCall: number | null
  /** The part used by the event loop's thread. */
  readonly loopCpuMsPerCall: number | null
  readonly databaseCpuMsPerCall: number | null
  readonly residentMb: number | null
  readonly loopLagP99Ms: number | null
}

/** A contestant and its measurements. */
export interface Measured {
  readonly contestant: Contestant
  readonly samples: Sample[]
  readonly tally: Tally
  readonly faults: string[]
  /** Bytes of one response body. */
  responseBytes: number
}

export interface Schedule {
  readonly connections: readonly number[]
  readonly rounds: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

const pauseMs = 250
const warmUpConnections = 64

/** Warms all up, then measures them in turn, round by round, so that other load on the machine affects all alike. */
export async function measure(
  contestants: readonly Contestant[],
  generator: LoadGenerator,
  { connections, rounds, seconds, warmUpSeconds }: Schedule,
): Promise<Measured[]> {
  const all = contestants.map((contestant) => startMeasuring(contestant))
  for (const one of all) {
    await probe(one, 'probe-before')
    await drive(one, generator, { run: 'warm-up', round: 0, connections: warmUpConnections, seconds: warmUpSeconds })
  }
  for (let round = 1; round <= rounds; round += 1) {
    // Each round starts with another contestant, so that none always follows the heaviest.
    const turn = all.map((_, place) => all[(place + round) % all.length]!)
    for (const level of connections) {
      for (const one of turn) {
        const run = `r${round}-c${level}`
        const sample = await drive(one, generator, { run, round, connections: level, seconds })
        one.samples.push(sample)
        tell(one, sample, rounds)
      }
    }
  }
  for (const one of all) await probe(one, 'probe-after')
  return all
}

export const startMeasuring = (contestant: Contestant): Measured => ({
  contestant,
  samples: [],
  tally: { answered: 0, cutOff: 0 },
  faults: [],
  responseBytes: 0,
})

export type Run = LoadOptions & { readonly run: string; readonly round: number }

/** One run with everything that can be measured from outside. Every wrong response is a fault. */
export async function drive(one: Measured, generator: LoadGenerator, options: Run): Promise<Sample> {
  const { contestant, tally, faults } = one
  const { run, round, connections } = options
  // Reading resets the counter.
  await contestant.metrics?.()
  const before = cpuOf(contestant)
  const load = await generator.drive(contestant.plan(run), options)
  const after = cpuOf(contestant)
  const lag = contestant.metrics ? loopLagMs(await contestant.metrics()) : null
  tally.answered += load.requests
  tally.cutOff += connections
  faults.push(...faultsOf(one, load).map((fault) => `${run}: ${fault}`))
  await delay(pauseMs)
  return {
    ...load,
    round,
    connections,
    callsPerSecond: load.requests / load.seconds,
    cpuMsPerCall: perCallMs(before.own, after.own, load.requests),
    loopCpuMsPerCall: perCallMs(before.loop, after.loop, load.requests),
    databaseCpuMsPerCall: perCallMs(before.database, after.database, load.requests),
    residentMb: residentMb(contestant.processes()),
    loopLagP99Ms: lag,
  }
}

function faultsOf({ contestant, responseBytes }: Measured, load: LoadResult): string[] {
  const faults: string[] = []
  const wrong = contestant.status < 400 ? load.refused : load.requests - load.refused
  if (load.requests === 0) faults.push('no response at all')
  if (wrong > 0) faults.push(`${wrong} of ${load.requests} responses without status ${contestant.status}`)
  if (load.broken > 0) faults.push(`${load.broken} connections failed or timed out`)
  if (load.bytes < load.requests * responseBytes) faults.push('responses that were cut short')
  return faults
}

/** Checks one whole response, before and after the runs. */
async function probe(one: Measured, run: string): Promise<void> {
  const { contestant, tally, faults } = one
  const { origin, method, path, headers, body, bearers, intents } = contestant.plan(run)
  const response = await request(origin + path, {
    method,
    body,
    headers: {
      ...headers,
      ...(bearers[0] && { authorization: `Bearer ${bearers[0]}` }),
      'idempotency-key': `${intents.prefix}1`,
    },
  })
  const text = await response.body.text()
  tally.answered += 1
  one.responseBytes = Buffer.byteLength(text)
  const fault =
    response.statusCode === contestant.status
      ? contestant.judge(text)
      : `status ${response.statusCode}: ${text.slice(0, 300)}`
  if (fault) faults.push(`${run}: ${fault}`)
}

const cpuOf = ({ processes, databaseProcesses }: Contestant) => ({
  own: cpuSeconds(processes()),
  loop: loopCpuSeconds(processes()[0]!),
  database: cpuSeconds(databaseProcesses()),
})

const perCallMs = (before: number | null, after: number | null, calls: number) =>
  before === null || after === null ? null : ((after - before) * 1000) / Math.max(calls, 1)

function tell({ contestant }: Measured, { round, connections, callsPerSecond, p99Ms }: Sample, rounds: number): void {
  const speed = Math.round(callsPerSecond).toLocaleString('en-US').padStart(8)
  console.log(
    `round ${round}/${rounds}  ${String(connections).padStart(3)} connections  ${speed}/s  p99 ${p99Ms.toFixed(1).padStart(7)} ms  ${contestant.name}`,
  )
}
