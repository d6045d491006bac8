import { type Command, InvalidArgumentError } from 'commander'
import { type Actor, oneLine, reasonLimit } from '../../administration/actor.ts'

export const wholeNumber = (min: number, max: number) => (value: string) => {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`)
}

/** Text of at most `max` characters on one line. */
export const singleLine = (what: string, max: number) => (value: string) => {
  const line = oneLine(value, max)
  if (line !== null) return line
  throw new InvalidArgumentError(`Give ${what} of 1 to ${max} characters on one line.`)
}

/** The options of every command that changes something. */
export interface ActionOptions {
  readonly reason: string
  readonly by?: string
  readonly json?: true
}

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

/** Whoever runs the command, marked as such in the audit log. */
export const actorOf = (by: string): Actor => ({ name: by, via: 'command line' })

/** Parses a day, meaning midnight UTC, or a time with its zone. */
export function parseTime(value: string): number {
  const isWellFormed = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(value)
  const at = isWellFormed ? Date.parse(value) : Number.NaN
  // Date.parse reads 30 February as 2 March.
  const isRealDay = isWellFormed && new Date(`${isWellFormed[1]}T00:00:00Z`).toJSON()?.startsWith(isWellFormed[1]!)
  if (isRealDay && !Number.isNaN(at)) return at
  throw new InvalidArgumentError('Give a day (2026-01-31) or a time with its zone (2026-01-31T08:00:00Z).')
}
