import { cpus } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Tally } from '../contestants/contestant.ts'
import type { LoadResult } from '../load/load.ts'
import { cpuSeconds } from '../process-usage.ts'
import type { Stage } from '../stage.ts'
import { median } from '../statistics.ts'
import { sampleWaits, type Waits } from './server-waits.ts'
import type { Site } from './site.ts'

/** Whether a gateway gets calls of all projects, or each project has one gateway, as `deploy/haproxy.cfg` arranges it. */
export type Spread = 'any gateway' | 'one gateway'

export interface InstancesResult {
  readonly instances: number
  /** Null for one gateway, where both are the same. */
  readonly spread: Spread | null
  readonly callsPerSecond: number
  readonly p99Ms: number
  /** How many cores they used: gateways, server, load generators. */
  readonly cores: Readonly<Record<'gateways' | 'server' | 'generators', number>>
  /** The used part of all cores, by whoever: from 0 to 1. */
  readonly busy: number
  readonly waits: Waits
}

type Sample = Omit<InstancesResult, 'instances' | 'spread'>

export const instanceConnections = 256
export const instanceProjects = 1000
const counts = [1, 2, 4, 8]
export const mostInstances = Math.max(...counts)
const plans = counts.flatMap((instances) =>
  (instances === 1 ? [null] : (['any gateway', 'one gateway'] as const)).map((spread) => ({ instances, spread })),
)
type Plan = (typeof plans)[number]

/** The same number of connections spread over more and more gateways on one database, with one load generator each. */
export async function measureInstances(
  site: Site,
  stage: Stage,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<{ results: InstancesResult[]; tally: Tally; faults: string[] }> {
  const tally: Tally = { answered: 0, cutOff: 0 }
  const faults: string[] = []
  const samples = new Map(plans.map((plan) => [plan, [] as Sample[]]))
  // The first round warms them up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const plan of plans) {
      const name = `${plan.instances} instances${plan.spread ? `, a project on ${plan.spread}` : ''}`
      const { loads, sample } = await drive({ site, stage, plan, run: `r${round}`, seconds })
      for (const { requests, refused, broken } of loads) {
        tally.answered += requests
        if (refused + broken > 0) faults.push(`${name}: ${refused} calls refused, ${broken} broken`)
      }
      tally.cutOff += instanceConnections
      await delay(250)
      if (round === 0) continue
      samples.get(plan)!.push(sample)
      console.log(`round ${round}/${rounds}  ${name}  ${Math.round(sample.callsPerSecond).toLocaleString('en-US')}/s`)
    }
  }
  const results = [...samples].map(([plan, taken]) => ({ ...plan, ...typical(taken) }))
  return { results, tally, faults }
}

interface Drive {
  readonly site: Site
  readonly stage: Stage
  readonly plan: Plan
  readonly run: string
  readonly seconds: number
}

async function drive({ site, stage, plan: { instances, spread }, run, seconds }: Drive) {
  const used = site.gateways.slice(0, instances)
  const cpu = () => ({
    idle: cpus().reduce((sum, { times }) => sum + times.idle, 0) / 1000,
    all: cpus().reduce((sum, { times }) => sum + Object.values(times).reduce((a, b) => a + b, 0), 0) / 1000,
    gateways: cpuSeconds(used.map(({ pid }) => pid)) ?? 0,
    server: cpuSeconds(stage.postgresProcesses()) ?? 0,
  })
  const waits = await sampleWaits(site.databaseUrl)
  const before = cpu()
  const loads = await Promise.all(
    used.map((gateway, place) => {
      const share = spread === 'one gateway' ? { place, of: instances } : undefined
      const contestant = site.contestant(`instance-${place}`, 'many', { gateway, ...(share && { share }) })
      return stage.generator.drive(
        contestant.plan(`${run}-of-${instances}-${spread === 'one gateway' ? 'own' : 'any'}`),
        {
          connections: instanceConnections / instances,
          seconds,
        },
      )
    }),
  )
  const after = cpu()
  const sample: Sample = {
    callsPerSecond: loads.reduce((sum, load) => sum + load.requests / load.seconds, 0),
    p99Ms: Math.max(...loads.map(({ p99Ms }) => p99Ms)),
    cores: {
      gateways: (after.gateways - before.gateways) / seconds,
      server: (after.server - before.server) / seconds,
      generators: loads.reduce((sum, load: LoadResult) => sum + (load.generatorCpuSeconds ?? 0), 0) / seconds,
    },
    busy: 1 - (after.idle - before.idle) / (after.all - before.all),
    waits: await waits.stop(),
  }
  return { loads, sample }
}

/** Medians of the rounds. */
function typical(samples: readonly Sample[]): Sample {
  const of = (value: (sample: Sample) => number) => median(samples.map(value))
  const waits = new Set(samples.flatMap((sample) => [...sample.waits.keys()]))
  return {
    callsPerSecond: of((sample) => sample.callsPerSecond),
    p99Ms: of((sample) => sample.p99Ms),
    cores: {
      gateways: of(({ cores }) => cores.gateways),
      server: of(({ cores }) => cores.server),
      generators: of(({ cores }) => cores.generators),
    },
    busy: of((sample) => sample.busy),
    waits: new Map([...waits].map((wait) => [wait, of((sample) => sample.waits.get(wait) ?? 0)])),
  }
}
