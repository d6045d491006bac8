import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { origin } from '../../testkit/gateway/gateway.ts'
import { atExit } from '../at-exit.ts'
import { median } from '../statistics.ts'
import type { LoginAttack } from './login-attackers.ts'
import type { Measured, Scenario, Stage } from './scenario.ts'

const turns = 3
const turnMs = 5000
/** 256 wait for a hash at once, and further ones are refused for that: in both floods 144 try again ten times a second. */
const connections = { 'wrong passwords': 400, malformed: 144 } as const
const attackersFile = fileURLToPath(new URL('./login-attackers.ts', import.meta.url))

export const loginFlood: Scenario = {
  kind: 'flood of logins with wrong passwords',
  run: (stage) => flood(stage, 'wrong passwords'),
}

export const malformedLoginFlood: Scenario = {
  kind: 'flood of malformed logins',
  run: (stage) => flood(stage, 'malformed'),
}

/** Paid calls of one gateway as fast as they go, with and without a flood of refused logins, in turns. */
async function flood(stage: Stage, kind: LoginAttack['kind']): Promise<Measured> {
  const { traffic } = stage
  traffic.setPause(0)
  traffic.restrictTo(({ gateway }) => gateway === 0)
  await delay(2000)
  const without: number[] = []
  const during: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    without.push(await rateOver(stage))
    const stop = startAttack(stage, kind)
    await delay(3000)
    during.push(await rateOver(stage))
    console.log(`  refused logins: ${await stop()}`)
    // The queue of passwords empties.
    await delay(2000)
  }
  traffic.setPause()
  const [usual, flooded] = [median(without), median(during)]
  console.log(`  paid calls: ${Math.round(usual)}/s without, ${Math.round(flooded)}/s with the flood`)
  return { floodedRate: flooded / usual }
}

async function rateOver({ traffic }: Stage): Promise<number> {
  const from = performance.now()
  await delay(turnMs)
  return traffic.successes.rate({ from, to: performance.now() })
}

function startAttack({ site }: Stage, kind: LoginAttack['kind']): () => Promise<string> {
  const options: LoginAttack = { kind, port: site.gateways[0]!.port, origin, connections: connections[kind] }
  const child = spawn(process.execPath, [attackersFile, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  atExit.add(kill)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
    atExit.delete(kill)
    return output
  }
}
