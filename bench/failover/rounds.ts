import { payThrough } from '../../testkit/storms/failover/payments.ts'
import type { Site, SiteDatabase } from '../../testkit/storms/failover/site.ts'
import { startTraffic } from '../../testkit/storms/failover/traffic.ts'
import { createVerifier, createWitness, reconcileSite } from '../../testkit/storms/failover/verify.ts'
import { atExit } from '../at-exit.ts'
import { describeMachine, machineLines } from '../report/machine.ts'
import { brokenPromises, failoverTable, type Round } from './report.ts'
import type { Scenario } from './scenario.ts'

interface RoundsOptions<Database extends SiteDatabase> {
  readonly site: Site<Database>
  readonly plan: readonly Scenario<Database>[]
  /** Of each worker, between two calls. */
  readonly pauseMs: number
}

interface Outcome {
  readonly rounds: readonly Round[]
  /** In words; empty if all promises were kept. */
  readonly broken: readonly string[]
}

/** Runs the rounds of a plan under load, checks all responses after each, closes the site and prints what was found. */
export async function runRounds<Database extends SiteDatabase>({
  site,
  plan,
  pauseMs,
}: RoundsOptions<Database>): Promise<Outcome> {
  const machine = describeMachine(site.dataDir)
  // Also if this process is interrupted: a frozen gateway would not end by itself.
  atExit.add(() => site.gateways.forEach(({ process: { pid } }) => void killQuietly(pid)))
  const ports = site.gateways.map(({ port }) => port)
  const traffic = startTraffic({ payers: site.payers, ports, pauseMs, pay: () => payThrough(site) })
  const verify = createVerifier(site, traffic)
  const witness = createWitness(site)
  // A gateway may be down just then.
  const looking = setInterval(() => void witness.look().catch(() => {}), 500)
  const rounds: Round[] = []
  for (const [place, scenario] of plan.entries()) {
    traffic.successes.forget()
    traffic.takeFailures()
    traffic.resume()
    traffic.takeSlowestSeconds()
    const measured = await scenario.run({ site, traffic })
    const failures = traffic.takeFailures()
    await traffic.pause()
    const slowestCallSeconds = traffic.takeSlowestSeconds()
    const round = { kind: scenario.kind, ...measured, slowestCallSeconds, verdict: await verify() }
    rounds.push(round)
    console.log(`${place + 1}/${plan.length} ${JSON.stringify({ ...round, failures })}`)
    await scenario.restore?.(site.database)
  }
  await traffic.close()
  clearInterval(looking)
  const reconciled = await reconcileSite(site)
  const checkpoints = await witness.contradicted()
  await site.close()
  console.log(`\n${machineLines(machine).join('\n')}\n\n${failoverTable(rounds)}\n`)
  console.log(`reconcile: ${reconciled.differenceCount} differences in ${reconciled.size.charges} charges`)
  console.log(`tree: ${checkpoints.contradicted.length} of ${checkpoints.seen} checkpoints contradicted`)
  const broken = [
    ...brokenPromises(rounds),
    ...reconciled.differences.map((one) => JSON.stringify(one)),
    ...checkpoints.contradicted.map((note) => `the tree does not begin with the checkpoint ${JSON.stringify(note)}`),
  ]
  return { rounds, broken }
}

function killQuietly(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
