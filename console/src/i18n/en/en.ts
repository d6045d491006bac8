import { account, auth, keys } from './account.ts'
import { ledger, overview, receipt, recharge, reviews, tables, usage } from './books.ts'
import { errors } from './errors.ts'
import { shell } from './shell.ts'

/** Loaded at start; the pages in words.ts load their own words. */
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
