import { access, nav } from './access.ts'
import { accounts, audit, money, reconcile } from './accounts.ts'
import { overview, providers, reviews, settings } from './running.ts'

export { operatorErrorsEn } from './errors.ts'

export const operatorEn = {
  ...access,
  nav,
  overview,
  accounts,
  money,
  reviews,
  providers,
  audit,
  reconcile,
  settings,
} as const
