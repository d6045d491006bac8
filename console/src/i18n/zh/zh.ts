import type { Messages } from '../messages.ts'
import { auth } from './auth.ts'
import { account, keys, playground, pricing } from './building.ts'
import { errors } from './errors.ts'
import { ledger, overview, receipt, recharge, reviews, usage } from './money.ts'
import { shell } from './shell.ts'

export const zh: Messages = {
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
  pricing,
  account,
}
