import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { PasswordCost } from './identity/passwords.ts'
import type { SmsSender } from './identity/ports.ts'

export interface AppOptions {
  readonly config: Config
  readonly logger: Logger
  /** Lines that the log could not write. */
  readonly linesDropped?: () => number
  /** Tests own the time, the messages and the cost of a hash. */
  readonly clock?: () => number
  readonly sms?: SmsSender
  readonly passwordCost?: PasswordCost
}
