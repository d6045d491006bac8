import type { LoadGenerator } from '../load/load.ts'
import { drive, type Measured, startMeasuring } from '../measure.ts'
import type { Site } from './site.ts'

const connections = 64
const partSeconds = 20

/** Runs until a gateway has served this many calls since its start; `earlier` counts those before this run. */
export async function measureLongRun(
  site: Site,
  generator: LoadGenerator,
  { calls, earlier }: { calls: number; earlier: number },
): Promise<Measured> {
  const one = startMeasuring(site.contestant('long-run', 'many'))
  for (let round = 1; earlier + one.tally.answered < calls; round += 1) {
    const sample = await drive(one, generator, { run: `long-${round}`, round, connections, seconds: partSeconds })
    one.samples.push(sample)
    console.log(
      `${(earlier + one.tally.answered).toLocaleString('en-US')} calls  ${sample.residentMb?.toFixed(0) ?? '?'} MB  ${Math.round(sample.callsPerSecond)}/s`,
    )
    if (one.faults.length > 0) break
  }
  return one
}
