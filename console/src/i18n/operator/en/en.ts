import { access, nav } from './access.ts'
import { accounts, money } from './accounts.ts'
import { audit, reconcile } from './books.ts'
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
