import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { tools } from '../testkit/installed-tools.ts'
import { payThrough } from '../testkit/storms/failover/payments.ts'
import { openSite } from '../testkit/storms/failover/site.ts'
import { startTraffic } from '../testkit/storms/failover/traffic.ts'
import { createVerifier, createWitness, reconcileSite } from '../testkit/storms/failover/verify.ts'
import { atExit } from './at-exit.ts'
import { frozenGateway, stalledDatabase, terminatedBackends } from './failover/disturbances.ts'
import { killedPrimary, oldPrimary, silentPrimary } from './failover/failovers.ts'
import { lockedProject, stalledGateway, vanishedGateway } from './failover/isolation.ts'
import { loginFlood, malformedLoginFlood } from './failover/login-flood.ts'
import { brokenPromises, failoverTable, missedGoals, type Round } from './failover/report.ts'
import { haproxyRestart, rollingRestart } from './failover/rolling-restart.ts'
import type { Scenario } from './failover/scenario.ts'
import { describeMachine, machineLines } from './report/machine.ts'

/** Three gateways under load while their database, their network and they themselves fail; then the books are checked. */
const failovers: Record<string, Scenario> = { kill: killedPrimary, silent: silentPrimary }
const others: Record<string, Scenario> = {
  'old-primary': oldPrimary,
  stall: stalledDatabase,
  terminate: terminatedBackends,
  freeze: frozenGateway,
  lock: lockedProject,
  'stalled-gateway': stalledGateway,
  vanish: vanishedGateway,
  restart: rollingRestart,
  haproxy: haproxyRestart,
  flood: loginFlood,
  'malformed-flood': malformedLoginFlood,
}
const names = [...Object.keys(failovers), ...Object.keys(others)]
const usage = `usage: npm run bench:failover -- [--rounds N] [--only ${names.join(',')}]
  --rounds N  failovers, half of them silent (20); each other fault is caused once for every ten of them
  --only A,B  only these kinds`

const missing = tools.haproxy === undefined ? ['haproxy'] : []
const haproxyIsMissing = 'HAProxy is not installed (apt-get install haproxy), so its rolling restart cannot be run'

const { rounds: count, only } = readOptions()
if (missing.length > 0) console.log(haproxyIsMissing)
const { server } = JSON.parse(readFileSync(new URL('../deploy/gateway.json', import.meta.url), 'utf8'))
const site = await openSite({ gateways: 3, payers: 20, drainDelayMs: server.drainDelayMs })
const machine = describeMachine(site.dataDir)
// Also if this process is interrupted: a frozen gateway would not end by itself.
atExit.add(() => site.gateways.forEach(({ process: { pid } }) => void killQuietly(pid)))
const traffic = startTraffic({
  payers: site.payers,
  ports: site.gateways.map(({ port }) => port),
  pauseMs: 60,
  pay: () => payThrough(site),
})
const verify = createVerifier(site, traffic)
const witness = createWitness(site)
// A gateway may be down just then.
const looking = setInterval(() => void witness.look().catch(() => {}), 500)
const rounds: Round[] = []

for (const [place, scenario] of plan().entries()) {
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
  console.log(`${place + 1}/${plan().length} ${JSON.stringify({ ...round, failures })}`)
  if (scenario.losesPrimary) await site.database.rebuild()
}

await traffic.close()
clearInterval(looking)
const reconciled = await reconcileSite(site)
const checkpoints = await witness.contradicted()
await site.close()
const broken = [
  ...brokenPromises(rounds),
  ...reconciled.differences.map((one) => JSON.stringify(one)),
  ...checkpoints.contradicted.map((note) => `the tree does not begin with the checkpoint ${JSON.stringify(note)}`),
]
console.log(`\n${machineLines(machine).join('\n')}\n\n${failoverTable(rounds)}\n`)
console.log(`reconcile: ${reconciled.differenceCount} differences in ${reconciled.size.charges} charges`)
console.log(`tree: ${checkpoints.contradicted.length} of ${checkpoints.seen} checkpoints contradicted`)
for (const goal of missedGoals(rounds)) console.log(`goal missed: ${goal}`)
for (const promise of broken) console.log(`promise broken: ${promise}`)
process.exit(broken.length === 0 ? 0 : 1)

/** Between every two failovers one of the other faults, in turns. */
function plan(): Scenario[] {
  const isWanted = (name: string) => (only.length === 0 ? !missing.includes(name) : only.includes(name))
  const chosen = (scenarios: Record<string, Scenario>) =>
    Object.entries(scenarios)
      .filter(([name]) => isWanted(name))
      .map(([, scenario]) => scenario)
  const [losses, between] = [chosen(failovers), chosen(others)]
  const rest = Array.from({ length: Math.ceil(count / 10) }, () => between).flat()
  const lost = losses.length === 0 ? [] : Array.from({ length: count }, (_, i) => losses[i % losses.length]!)
  const steps = Array.from({ length: Math.max(lost.length, rest.length) }, (_, i) => [lost[i], rest[i]]).flat()
  return steps.filter((step) => step !== undefined)
}

function readOptions(): { rounds: number; only: string[] } {
  try {
    const { values } = parseArgs({
      options: { rounds: { type: 'string', default: '20' }, only: { type: 'string', default: '' } },
    })
    const only = values.only === '' ? [] : values.only.split(',')
    const unknown = only.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new Error(`there is no fault called "${unknown}"`)
    if (only.some((name) => missing.includes(name))) throw new Error(haproxyIsMissing)
    if (!/^[1-9]\d{0,2}$/.test(values.rounds)) throw new Error('--rounds is a number from 1 to 999')
    return { rounds: Number(values.rounds), only }
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    return process.exit(2)
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
