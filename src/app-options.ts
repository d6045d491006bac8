import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { PasswordCost } from './identity/passwords.ts'
import type { EmailSender, SmsSender } from './messages/senders.ts'
import type { Migration } from './storage/schema/migration.ts'

export interface AppOptions {
  readonly config: Config
  readonly logger: Logger
  /** Log lines that could not be written. */
  readonly linesDropped?: () => number
  /** Replaced in tests: the clock, the senders and the cost of a password hash. */
  readonly clock?: () => number
  readonly sms?: SmsSender
  readonly email?: EmailSender
  readonly passwordCost?: PasswordCost
  /** What the program knows of the schema; fewer migrations stand for an older program. */
  readonly migrations?: readonly Migration[]
}
