import { approvals } from './approvals.ts'
import { archives } from './archives.ts'
import { keyRotation } from './key-rotation.ts'
import type { BeginLife } from './life.ts'
import { messages } from './messages.ts'
import { paymentsAfterLosses } from './payments-after-losses.ts'
import { publicLog } from './public-log.ts'
import { refunds } from './refunds.ts'
import { replays } from './replays.ts'
import { revokedKeys } from './revoked-keys.ts'
import { secondFactor } from './second-factor.ts'
import { secretRotation } from './secret-rotation.ts'
import { undecidedPayments } from './undecided-payments.ts'
import { webhooks } from './webhooks.ts'

export const lives: readonly BeginLife[] = [
  approvals,
  archives,
  keyRotation,
  messages,
  paymentsAfterLosses,
  publicLog,
  refunds,
  replays,
  revokedKeys,
  secondFactor,
  secretRotation,
  undecidedPayments,
  webhooks,
]
