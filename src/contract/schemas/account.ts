import { type Static, Type } from 'typebox'
import { named } from '../field.ts'
import { CsrfToken, CurrentAccount, CurrentProject, Session } from './identity.ts'
import { Key } from './keys.ts'
import { Order } from './orders.ts'

export const recentOrdersLimit = 20

export const Credits = named('Credits', {
  available: Type.Integer({ minimum: 0 }),
  reserved: Type.Integer({ minimum: 0 }),
})

export const Me = named('Me', {
  account: CurrentAccount,
  project: CurrentProject,
  credits: Credits,
  latestOrder: Type.Union([Order, Type.Null()]),
  recentOrders: Type.Array(Order, { maxItems: recentOrdersLimit }),
  apiKeys: Type.Array(Key),
  session: Session,
  csrfToken: CsrfToken,
})

export type Credits = Static<typeof Credits>
export type Me = Static<typeof Me>
