import { access, nav } from './access.ts'
import { accounts, audit, money, reconcile } from './accounts.ts'
import { payments } from './payments.ts'
import { overview, providers, reviews, settings } from './running.ts'

export { operatorErrorsEn } from './errors.ts'

export const operatorEn = {
  ...access,
  nav,
  overview,
  accounts,
  money,
  payments,
  reviews,
  providers,
  audit,
  reconcile,
  settings,
} as const
