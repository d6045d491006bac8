import type { Command } from 'commander'
import { type Actor, reasonLimit } from '../features/operators/administration/actor.ts'
import type { Administration } from '../features/operators/administration/administration.ts'
import { singleLine, type Terminal, wholeNumber } from './terminal.ts'

/** What the commands that act for an operator need. */
export interface AdministrationCommandDeps {
  readonly withAdministration: <T>(work: (operate: Administration) => Promise<T>) => Promise<T>
  readonly terminal: Terminal
  readonly clock: () => number
  /** The default of `--by`. */
  readonly userName: () => string
  /** All of standard input. */
  readonly readInput: () => Promise<string>
}

/** The options of every command that changes something. */
export const addActionOptions = (command: Command): Command =>
  withActor(
    command.requiredOption('--reason <text>', 'why; kept in the audit log', singleLine('a reason', reasonLimit)),
  )

/** For actions that explain themselves: the reason may be left out. */
export const addOptionalReason = (command: Command): Command =>
  withActor(command.option('--reason <text>', 'why; kept in the audit log', singleLine('a reason', reasonLimit)))

const withActor = (command: Command): Command =>
  command
    .option('--by <name>', 'who acts; the system user by default', singleLine('a name', 100))
    .option('--json', 'print JSON')

/** What is printed with `--json`, and without it. */
interface Shown {
  readonly json: unknown
  readonly text: string
}

/** Runs the action of an operator for a command. `names` are the arguments of the command. */
export function onAction<Options extends object = { readonly reason: string }>(
  command: Command,
  { withAdministration, terminal, userName }: AdministrationCommandDeps,
  act: (operate: Administration, given: Options & { readonly actor: Actor }, ...names: string[]) => Promise<Shown>,
): void {
  command.action(async (...passed: unknown[]) => {
    const names = passed.slice(0, -2) as string[]
    const { by = userName(), json, ...options } = passed.at(-2) as Options & { by?: string; json?: true }
    const actor: Actor = { name: by, via: 'command line' }
    const given = { ...options, actor } as unknown as Options & { actor: Actor }
    const shown = await withAdministration((operate) => act(operate, given, ...names))
    await (json ? terminal.printJson(shown.json) : terminal.print(shown.text))
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
  if (next) terminal.note(`There are more: add --after ${next}`)
}
