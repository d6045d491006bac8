import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import type { PasswordCost } from '../features/identity/accounts/passwords.ts'
import { createLedger } from '../ledger/ledger.ts'
import { type Actor, reasonLimit } from '../operator-kit/actor.ts'
import type { OperatorContext } from '../ops/feature.ts'
import { createBatchStore } from '../storage/batch-store.ts'
import type { Logger } from '../storage/engine.ts'
import type { OpenedEngine } from '../storage/open-store.ts'
import type { Migration } from '../storage/schema/migrations.ts'
import { singleLine, type Terminal, userName, wholeNumber } from './terminal.ts'

/** What a command works with. */
export interface CommandLine {
  /** Read when it is first asked for: `--help` needs none. */
  readonly config: () => Config
  readonly terminal: Terminal
  readonly clock: () => number
  readonly logger: Logger
  readonly migrations?: readonly Migration[]
  readonly passwordCost?: PasswordCost
  /** All of standard input. */
  readonly readInput: () => Promise<string>
  /** Opens the store for one piece of work and closes it afterwards. */
  readonly withStore: <T>(
    work: (engine: OpenedEngine) => Promise<T>,
    options?: { readonly transactionLimitMs?: number; readonly readOnly?: boolean; readonly logger?: Logger },
  ) => Promise<T>
}

/** For reading a store of any size in one transaction. */
export const longReadMs = 6 * 3_600_000

export const longRead = { transactionLimitMs: longReadMs, readOnly: true } as const

/** What an operator's action needs, on a store that a gateway may be using. */
export const contextOn = ({ config, clock }: CommandLine, engine: OpenedEngine): OperatorContext => {
  const ledger = createLedger({ store: createBatchStore(engine) })
  return { engine, ledger, config: config(), clock }
}

/** The options of every command that changes something. */
export const withActor = (command: Command): Command =>
  command
    .option('--by <name>', 'who is acting; defaults to the system user', singleLine('a name', 100))
    .option('--json', 'print JSON')

export const actorOf = (name = userName()): Actor => ({ name, via: 'command line' })

interface ActionOptions {
  readonly reason: string
  readonly by?: string
  readonly json?: true
}

/** A command that no operator API has: it prints what `act` returns with `--json`, and one sentence without it. */
export function addAction<Done>(
  command: Command,
  line: CommandLine,
  act: (
    engine: OpenedEngine,
    actor: Actor,
    reason: string,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<Done>,
  sentence: (done: Done) => string,
): void {
  withActor(
    command.requiredOption('--reason <text>', 'why; kept in the audit log', singleLine('a reason', reasonLimit)),
  ).action(async ({ reason, by, json, ...options }: ActionOptions) => {
    const done = await line.withStore((engine) => act(engine, actorOf(by), reason, options))
    await (json ? line.terminal.printJson(done) : line.terminal.print(`${sentence(done)}\n`))
  })
}

export interface ListOptions {
  readonly limit: number
  readonly after?: string
  readonly json?: true
}

const maxListed = 1000

/** `after` names what the list continues after. */
export const addListOptions = (command: Command, limit: number, after: string, what: string): Command =>
  command
    .option('--limit <count>', `how many, at most ${maxListed}`, wholeNumber(1, maxListed), limit)
    .option(`--after <${after}>`, `continue after this ${what}`)
    .option('--json', 'print JSON')

export function noteMore(terminal: Terminal, next: string | null): void {
  if (next) terminal.note(`There are more. To continue, add --after ${next}`)
}
