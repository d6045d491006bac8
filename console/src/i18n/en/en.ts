import { account, auth, keys } from './account.ts'
import { chargeDetails, ledger, overview, recharge, reviews, tables, usage } from './credits.ts'
import { errors } from './errors.ts'
import { shell } from './shell.ts'

/** Loaded at start; some pages load words of their own. */
export const en = {
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
} as const
