import type { StartMessages } from '../messages.ts'
import { account, keys } from './account.ts'
import { auth } from './auth.ts'
import { ledger, receipt, reviews } from './books.ts'
import { errors } from './errors.ts'
import { overview, recharge, usage } from './money.ts'
import { shell } from './shell.ts'
import { tables } from './tables.ts'

export const zh: StartMessages = {
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
}
