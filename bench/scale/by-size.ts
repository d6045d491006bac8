import { type Measured, measure } from '../measure.ts'
import type { Options } from '../options.ts'
import type { Stage } from '../stage.ts'
import { measureLongRun } from './long-run.ts'
import { type EngineName, openSite, type Site, type Traffic } from './site.ts'

/** Measurements of one store. */
export interface Finding {
  readonly site: Site
  readonly traffic: Traffic
  readonly measured: Measured
}

export interface Findings {
  readonly findings: readonly Finding[]
  /** Further calls of the gateway with the smallest store. */
  readonly longRun: Measured | null
}

const connections = 64

/** Measures one engine with books of every size, and with all calls on one project, each on its own store, in turns. */
export async function measureSizes(
  stage: Stage,
  engine: EngineName,
  { projects, sizes, rounds, seconds, longRunCalls }: Options,
  { withLongRun }: { withLongRun: boolean },
): Promise<Findings> {
  // The single-project figure does not depend on the size of the store.
  const plans = [
    ...sizes.map((charges) => ({ charges, traffic: 'many' as const })),
    { charges: sizes[0]!, traffic: 'hot' as const },
  ]
  const sites: Site[] = []
  for (const { charges, traffic } of plans) {
    console.log(`filling a store: ${engine}, ${charges.toLocaleString('en-US')} charges of ${projects} projects`)
    const name = `${traffic}_${charges}`
    sites.push(await openSite(stage, { engine, size: { projects, charges }, instances: 1, name }))
  }
  const contestants = sites.map((site, place) => site.contestant(`site-${place}`, plans[place]!.traffic))
  // Long enough to reach every project several times: each project's first call misses the row cache, and PostgreSQL logs the
  // whole page at its first change after a checkpoint, five times what a call writes otherwise.
  const schedule = { connections: [connections], rounds, seconds, warmUpSeconds: 3 * seconds }
  const measured = await measure(contestants, stage.generator, schedule)
  const earlier = measured[0]!.tally.answered
  const longRun = withLongRun
    ? await measureLongRun(sites[0]!, stage.generator, { calls: longRunCalls, earlier })
    : null
  console.log('\nchecking the books ...')
  for (const [place, site] of sites.entries()) {
    const runs = place === 0 && longRun ? [measured[0]!, longRun] : [measured[place]!]
    const responses = {
      answered: runs.reduce((sum, { tally }) => sum + tally.answered, 0),
      cutOff: runs.reduce((sum, { tally }) => sum + tally.cutOff, 0),
    }
    measured[place]!.faults.push(...(await site.close(responses)))
  }
  return {
    findings: sites.map((site, place) => ({
      site,
      traffic: plans[place]!.traffic,
      measured: measured[place]!,
    })),
    longRun,
  }
}
