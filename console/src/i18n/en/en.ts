import { account, auth, keys } from './account.ts'
import { ledger, overview, receipt, recharge, reviews, tables, usage } from './books.ts'
import { errors, shell } from './shell.ts'

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
