import { type Static, Type } from 'typebox'
import { Choice, DateTime, Nullable, named } from '../../contract/field.ts'
import { Page, pageParameters } from '../../contract/paging.ts'
import { Order } from '../../contract/schemas/account.ts'
import { Key } from '../../contract/schemas/keys.ts'
import { keySettings } from '../keys/contract.ts'

export const OrderPage = Page('OrderPage', Order)
export const orderParameters = pageParameters('^[0-9]{1,15}[.]ord_[A-Za-z0-9]+$')

export const UsedKey = named('UsedKey', {
  ...Key.properties,
  ...keySettings,
  budgetSpent: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Credits reserved or settled in this period, by all keys of the rotation chain.',
  }),
  budgetResetsAt: Nullable(DateTime()),
  calls: Type.Integer({ minimum: 0, description: 'Billable calls that this key was accepted for.' }),
  lastUsedAt: Nullable(DateTime()),
  lastUsedFrom: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'The masked address of the last call: 203.0.113.x, or a /64 network.',
  }),
})
export const UsedKeyList = named('UsedKeyList', {
  items: Type.Array(UsedKey, { maxItems: 1000 }),
  maxActive: Type.Integer({ minimum: 1, description: 'The most keys of the project that can be active at a time.' }),
})

const adapter = Type.Union([Choice(['local', 'remote']), Type.Null()], {
  description: 'Whether it answers from inside this service or calls another one; null when it is disabled.',
})

/** Which providers can be named in a call, and what they offer. */
export const Catalog = named('Catalog', {
  defaultModelProvider: Type.String({ minLength: 1, description: 'Asked when a call names no provider.' }),
  modelProviders: Type.Array(
    named('CatalogModelProvider', {
      provider: Type.String({ minLength: 1 }),
      enabled: Type.Boolean(),
      adapter,
      models: Type.Array(Type.String({ minLength: 1 }), { description: 'Aliases that a call may name.' }),
      defaultModel: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
      maxPromptChars: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    }),
  ),
  mediaCreditsPerSecond: Type.Integer({ minimum: 1, description: 'Price of a video, for each of its seconds.' }),
  defaultMediaProvider: Type.String({ minLength: 1 }),
  mediaProviders: Type.Array(
    named('CatalogMediaProvider', { provider: Type.String({ minLength: 1 }), enabled: Type.Boolean(), adapter }),
  ),
  shoppingMode: Choice(['local-mock', 'pick-http']),
  shops: Type.Array(
    named('CatalogShop', { provider: Type.String({ minLength: 1 }), enabled: Type.Boolean(), adapter }),
  ),
})

export const sessionIdPattern = '^ses_[A-Za-z0-9]+$'

export const SignIn = named('SignIn', {
  sessionId: Type.String({ pattern: sessionIdPattern, description: 'Names the sign-in; it is no credential.' }),
  createdAt: DateTime(),
  expiresAt: DateTime(),
  isCurrent: Type.Boolean({ description: 'True for the one that asks.' }),
})
export const SignInList = named('SignInList', { items: Type.Array(SignIn, { maxItems: 100 }) })

export const EndedSession = named('EndedSession', {
  sessionId: Type.String({ pattern: sessionIdPattern }),
  state: Type.Literal('logged_out'),
})

export const SignedOutEverywhere = named('SignedOutEverywhere', {
  state: Type.Literal('logged_out'),
  endedSessions: Type.Integer({ minimum: 0 }),
})

export type OrderPage = Static<typeof OrderPage>
export type UsedKey = Static<typeof UsedKey>
export type UsedKeyList = Static<typeof UsedKeyList>
export type Catalog = Static<typeof Catalog>
export type SignInList = Static<typeof SignInList>
export type EndedSession = Static<typeof EndedSession>
export type SignedOutEverywhere = Static<typeof SignedOutEverywhere>
