import type { StartMessages } from '../messages.ts'
import { account, auth, keys } from './account.ts'
import { chargeDetails, ledger, overview, recharge, reviews, tables, usage } from './credits.ts'
import { errors } from './errors.ts'
import { shell } from './shell.ts'

export const zh: StartMessages = {
  ...shell,
  auth,
  errors,
  overview,
  recharge,
  usage,
  chargeDetails,
  ledger,
  reviews,
  keys,
  account,
  tables,
}
