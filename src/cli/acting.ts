import type { Command } from 'commander'
import { type Administration, buildAdministration } from '../app/administration.ts'
import type { Config } from '../config/config.ts'
import type { PasswordCost } from '../features/identity/accounts/passwords.ts'
import { type Actor, reasonLimit } from '../operator-kit/actor.ts'
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

/** Runs an operator's actions on the store. */
export const withAdministration = <T>(
  { withStore, config, clock, passwordCost }: CommandLine,
  work: (operate: Administration) => Promise<T>,
): Promise<T> => withStore((engine) => work(buildAdministration(engine, config(), clock, passwordCost)))

/** The options of every command that changes something. */
export const addActionOptions = (command: Command): Command =>
  withActor(
    command.requiredOption('--reason <text>', 'why; kept in the audit log', singleLine('a reason', reasonLimit)),
  )

/** For actions that explain themselves: the reason may be left out. */
export const addOptionalReason = (command: Command): Command =>
  withActor(command.option('--reason <text>', 'why; kept in the audit log', singleLine('a reason', reasonLimit)))

export const withActor = (command: Command): Command =>
  command
    .option('--by <name>', 'who is acting; defaults to the system user', singleLine('a name', 100))
    .option('--json', 'print JSON')

/** What is printed with `--json`, and without it. */
interface Shown {
  readonly json: unknown
  readonly text: string
}

/** Runs the action of an operator for a command. `names` are the arguments of the command. */
export function onAction<Options extends object = { readonly reason: string }>(
  command: Command,
  line: CommandLine,
  act: (operate: Administration, given: Options & { readonly actor: Actor }, ...names: string[]) => Promise<Shown>,
): void {
  command.action(async (...passed: unknown[]) => {
    const names = passed.slice(0, -2) as string[]
    const { by = userName(), json, ...options } = passed.at(-2) as Options & { by?: string; json?: true }
    const actor: Actor = { name: by, via: 'command line' }
    const given = { ...options, actor } as unknown as Options & { actor: Actor }
    const shown = await withAdministration(line, (operate) => act(operate, given, ...names))
    await (json ? line.terminal.printJson(shown.json) : line.terminal.print(shown.text))
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
