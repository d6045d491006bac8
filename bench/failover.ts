import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { missingForPatroni, tools } from '../testkit/installed-tools.ts'
import { startDatabasePair } from '../testkit/store/database-pair.ts'
import { openSite } from '../testkit/storms/failover/site.ts'
import { frozenGateway, stalledDatabase, terminatedBackends } from './failover/disturbances.ts'
import { killedPrimary, oldPrimary, silentPrimary } from './failover/failovers.ts'
import { lockedProject, stalledGateway, vanishedGateway } from './failover/isolation.ts'
import { loginFlood, malformedLoginFlood } from './failover/login-flood.ts'
import { startPatroniCluster } from './failover/patroni/cluster.ts'
import { patroniScenarios } from './failover/patroni/scenarios.ts'
import { missedGoals } from './failover/report.ts'
import { haproxyRestart, rollingRestart } from './failover/rolling-restart.ts'
import { runRounds } from './failover/rounds.ts'
import type { Scenario } from './failover/scenario.ts'

/** Gateways under load while their database, their network and they themselves fail; then the books are checked. */
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
const patroniNames = Object.keys(patroniScenarios)
const usage = `usage: npm run bench:failover -- [--patroni] [--rounds N] [--only A,B]
  --rounds N  failovers, half of them silent (20); each other fault is caused once for every ten of them
  --only A,B  only these kinds: ${names.join(', ')}
  --patroni   three PostgreSQL nodes under Patroni, which promotes; N rounds of these kinds in turns: ${patroniNames.join(', ')}`

const missing = tools.haproxy === undefined ? ['haproxy'] : []
const haproxyIsMissing = 'HAProxy is not installed (apt-get install haproxy), so its rolling restart cannot be run'

const { rounds: count, only, patroni } = readOptions()
const { server } = JSON.parse(readFileSync(new URL('../deploy/gateway.json', import.meta.url), 'utf8'))
const { drainDelayMs } = server as { readonly drainDelayMs: number }
const broken = await (patroni ? onPatroni() : onPair())
for (const promise of broken) console.log(`promise broken: ${promise}`)
process.exit(broken.length === 0 ? 0 : 1)

async function onPair(): Promise<readonly string[]> {
  if (missing.length > 0) console.log(haproxyIsMissing)
  const site = await openSite({ database: await startDatabasePair(), gateways: 3, payers: 20, drainDelayMs })
  const { rounds, broken } = await runRounds({ site, plan: plan(), pauseMs: 60 })
  for (const goal of missedGoals(rounds)) console.log(`goal missed: ${goal}`)
  return broken
}

/** With fewer calls: three servers share the machine with the gateways and the load. */
async function onPatroni(): Promise<readonly string[]> {
  const chosen = Object.entries(patroniScenarios).filter(([name]) => only.length === 0 || only.includes(name))
  const plan = Array.from({ length: count }, (_, i) => chosen[i % chosen.length]![1])
  const site = await openSite({ database: await startPatroniCluster(), gateways: 2, payers: 20, drainDelayMs })
  console.log(site.database.versions.join(', '))
  return (await runRounds({ site, plan, pauseMs: 200 })).broken
}

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

function readOptions(): { rounds: number; only: string[]; patroni: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: 'string', default: '20' },
        only: { type: 'string', default: '' },
        patroni: { type: 'boolean', default: false },
      },
    })
    const only = values.only === '' ? [] : values.only.split(',')
    const unknown = only.find((name) => !(values.patroni ? patroniNames : names).includes(name))
    if (unknown !== undefined) throw new Error(`there is no fault called "${unknown}"`)
    if (only.some((name) => !values.patroni && missing.includes(name))) throw new Error(haproxyIsMissing)
    if (values.patroni && missingForPatroni.length > 0) {
      throw new Error(`not installed: apt-get install --no-install-recommends ${missingForPatroni.join(' ')}`)
    }
    if (!/^[1-9]\d{0,2}$/.test(values.rounds)) throw new Error('--rounds is a number from 1 to 999')
    return { rounds: Number(values.rounds), only, patroni: values.patroni }
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    return process.exit(2)
  }
}
