import type { Administration } from '../../administration/administration.ts'
import type { Terminal } from '../terminal.ts'

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
