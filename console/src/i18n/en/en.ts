import { account, keys } from './account.ts'
import { auth } from './auth.ts'
import { ledger, receipt, reviews } from './books.ts'
import { playground, pricing } from './building.ts'
import { errors } from './errors.ts'
import { media } from './media.ts'
import { overview, recharge, usage } from './money.ts'
import { shell } from './shell.ts'
import { tables } from './tables.ts'

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
  playground,
  media,
  pricing,
  account,
  tables,
} as const
