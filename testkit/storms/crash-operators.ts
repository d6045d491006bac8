import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { MovementRequest } from '../../src/features/billing/credits/credits.ts'
import type { ApprovedMovement } from '../../src/operator-kit/approvals.ts'
import { compileCache } from '../gateway/compile-cache.ts'
import { type Administration, createTestAdministration } from '../store/administration.ts'
import type { Store } from '../store/engines.ts'
import { createRig } from '../store/rig.ts'
import type { Payer } from './crash-traffic.ts'

export interface OperatorsOptions {
  readonly store: Store
  readonly payers: readonly Payer[]
  /** The one that is suspended and reinstated: its sessions end. */
  readonly suspect: Payer
  readonly environment: Readonly<Record<string, string>>
  readonly random: () => number
}

const actor = { name: 'Ada', via: 'command line' } as const
const commandLine = fileURLToPath(new URL('../../src/cli/cli.ts', import.meta.url))

/** Grants, withdraws and suspends without pause, and kills some of the commands that do. */
export function startOperators({ store, payers, suspect, environment, random }: OperatorsOptions) {
  const operate = createTestAdministration(createRig(store))
  const known: { readonly request: MovementRequest; outcome: ApprovedMovement | null }[] = []
  const counts = { moved: 0, repeated: 0, commandsKilled: 0, suspensions: 0, faults: [] as string[] }
  let isOn = true

  function newRequest(): (typeof known)[number] {
    const { projectId } = payers[Math.floor(random() * payers.length)]!
    const kind = random() < 0.6 ? 'grant' : 'withdraw'
    const credits = 1 + Math.floor(random() * 50)
    const made = {
      request: { kind, projectId, credits, reference: `bank ${known.length}`, reason: 'storm' } as const,
      outcome: null,
    }
    known.push(made)
    return made
  }

  async function move(one: (typeof known)[number]): Promise<void> {
    const outcome = (await operate.moveCredits(actor, one.request)) as ApprovedMovement
    counts.moved += 1
    if (!one.outcome) one.outcome = outcome
    else if (!outcome.replayed || outcome.balance.available !== one.outcome.balance.available) {
      counts.faults.push(`${one.request.reference} was moved again`)
    } else counts.repeated += 1
  }

  /** Killed at a random moment: whether it took effect, only a repeat can tell. */
  async function killedCommand({ request }: (typeof known)[number]): Promise<void> {
    const { kind, projectId, credits, reference, reason } = request
    const argv = ['credits', kind, projectId, String(credits), '--reference', reference, '--reason', reason]
    const child = spawn(process.execPath, [commandLine, ...argv], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...environment },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    await delay(400 * random() + 300)
    child.kill('SIGKILL')
    await exited
    counts.commandsKilled += 1
  }

  let steps = 0
  /** In turn, so that a short storm has everything in it too. */
  async function step(): Promise<void> {
    steps += 1
    if (steps % 50 === 10) {
      const one = newRequest()
      await killedCommand(one)
      await move(one)
    } else if (steps % 12 === 4) {
      const account = { accountId: `account of ${suspect.projectId}`, reason: 'storm' }
      await operate.suspendAccount(actor, account)
      counts.suspensions += 1
      await operate.reinstateAccount(actor, account)
    } else await move(steps % 4 === 3 ? known[Math.floor(random() * known.length)]! : newRequest())
  }

  async function worker(): Promise<void> {
    while (isOn) {
      // A refused withdrawal, or a database that was killed: what had no response is repeated at the end.
      await step().catch(() => {})
      await delay(40)
    }
  }

  const working = worker()
  return {
    counts,
    async stop() {
      isOn = false
      await working
      await reinstateAtLast(operate, suspect)
      for (const one of known) {
        if (one.outcome) await move(one)
      }
    },
  }
}

/** A database that is being restarted may refuse it for a while. */
async function reinstateAtLast(operate: Administration, { projectId }: Payer): Promise<void> {
  const account = { accountId: `account of ${projectId}`, reason: 'end of the storm' }
  for (let attempt = 1; ; attempt += 1) {
    const isDone = await operate.reinstateAccount(actor, account).then(
      () => true,
      (error) => {
        if (attempt === 20) throw error
      },
    )
    if (isDone) return
    await delay(250)
  }
}
