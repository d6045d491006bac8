import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { PasswordCost } from '../features/accounts/passwords.ts'
import type { SendDeps } from '../features/webhooks/send.ts'
import type { EmailSender, SmsSender } from '../providers/senders.ts'
import type { Migration } from '../storage/schema/migrations.ts'

export interface AppOptions {
  readonly config: Config
  readonly logger: Logger
  /** Log lines that could not be written. */
  readonly linesDropped?: () => number
  /** Replaced in tests: the clock, the senders, the cost of a password hash, and how webhooks find and trust an endpoint. */
  readonly clock?: () => number
  readonly sms?: SmsSender
  readonly email?: EmailSender
  readonly passwordCost?: PasswordCost
  readonly webhookNetwork?: Partial<Pick<SendDeps, 'resolve' | 'ca' | 'timeoutMs'>>
  /** What the program knows of the schema; fewer migrations stand for an older program. */
  readonly migrations?: readonly Migration[]
}
