import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { PollTiming } from '../features/calls/media/job-transitions.ts'
import type { PasswordCost } from '../features/identity/accounts/passwords.ts'
import type { SendDeps } from '../features/notifications/webhooks/send.ts'
import type { TreeWork } from '../features/records/transparency/feature.ts'
import type { createHttpServer } from '../http/server.ts'
import type { LeaseTiming } from '../ledger/instance-lease.ts'
import type { PaymentProvider } from '../providers/payments/payment-provider.ts'
import type { EmailSender, SmsSender } from '../providers/senders.ts'
import type { openStore } from '../storage/open-store.ts'
import type { Migration } from '../storage/schema/migrations.ts'

export interface AppOptions {
  readonly config: Config
  readonly logger: Logger
  /** Log lines that could not be written. */
  readonly linesDropped?: () => number
  /** Replaced in the simulation: the store, and how requests arrive. */
  readonly openStore?: typeof openStore
  readonly createServer?: typeof createHttpServer
  /** The same: what the public tree does in other threads. */
  readonly treeWork?: TreeWork
  /** Replaced in tests: the clock, the senders, the cost of a password hash, how webhooks find and trust an endpoint, how often
   *  a media provider is asked, and how long the lease is on PostgreSQL. */
  readonly clock?: () => number
  readonly sms?: SmsSender
  readonly email?: EmailSender
  readonly passwordCost?: PasswordCost
  readonly webhookNetwork?: Partial<Pick<SendDeps, 'resolve' | 'ca' | 'timeoutMs'>>
  readonly mediaTiming?: PollTiming
  readonly lease?: LeaseTiming
  /** More payment providers, by method. */
  readonly paymentProviders?: ReadonlyMap<string, PaymentProvider>
  /** What the program knows of the schema; fewer migrations simulate an older program. */
  readonly migrations?: readonly Migration[]
}
