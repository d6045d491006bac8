import { type Static, Type } from '../../../base/schema.ts'
import { Choice, named } from '../../../contract/field.ts'
import { Credits } from '../../../contract/schemas/account.ts'

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })

const heldStates = ['reserved', 'manual_review'] as const

export const Overview = named('Overview', {
  credits: Credits,
  bought: count(
    'Credits that were bought or granted, less what the operator withdrew: bought = available + reserved + settled.',
  ),
  held: Type.Array(named('HeldCredits', { state: Choice(heldStates), charges: count(), credits: count() }), {
    description: 'What holds the reserved credits: calls under way, and calls held for review. Always both.',
    minItems: heldStates.length,
    maxItems: heldStates.length,
  }),
  spent: named(
    'SpentCredits',
    { today: count(), last7Days: count(), last30Days: count() },
    { description: 'Credits of calls settled on these days in Shanghai; today is included in each.' },
  ),
  callsToday: count('Calls settled today, in Shanghai.'),
  spentPerDay: Type.Union([Type.Number({ exclusiveMinimum: 0 }), Type.Null()], {
    description:
      'Average credits per day over the last 7 days, or since the first call if that is more recent. Null if nothing was spent, or less than a day after the first call.',
  }),
  runwayDays: Type.Union([count(), Type.Null()], {
    description: 'Whole days that the available credits last at `spentPerDay`; null without one.',
  }),
  firstSteps: named('FirstSteps', {
    hasOrder: Type.Boolean({ description: 'Credits were added.' }),
    hasKey: Type.Boolean({ description: 'A key was created.' }),
    hasCall: Type.Boolean({ description: 'A billable call was accepted.' }),
  }),
  baseUrl: Type.String({ format: 'uri', description: 'Where programs call this service.' }),
  smsInboxUrl: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: 'The local page with the messages that were not actually sent; null if there is none.',
  }),
  paymentMode: Choice(['disabled', 'local-simulated']),
})

export type Overview = Static<typeof Overview>

const adapter = Type.Union([Choice(['local', 'remote']), Type.Null()], {
  description: 'Whether it responds locally or calls another service; null if it is disabled.',
})

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
      maxOutputTokens: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
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

export type Catalog = Static<typeof Catalog>
