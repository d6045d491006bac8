import { account, keys } from './account.ts'
import { auth } from './auth.ts'
import { ledger, receipt, reviews } from './books.ts'
import { errors } from './errors.ts'
import { overview, recharge, usage } from './money.ts'
import { shell } from './shell.ts'
import { tables } from './tables.ts'

/** What is loaded at the start; the pages named in words.ts bring their own words. */
export const en = {
  ...shell,
  auth,
  errors,
  overview,
  recharge,
  usage,
  receipt,
  ledger,
  reviews,
  keys,
  account,
  tables,
} as const
