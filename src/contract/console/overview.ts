import { type Static, Type } from 'typebox'
import { Choice, named } from '../field.ts'
import { Credits } from '../schemas/account.ts'

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })

export const heldStates = ['reserved', 'manual_review'] as const

/** Where a project stands: what it can spend, what is held, what it spent, and what to do first. */
export const Overview = named('Overview', {
  credits: Credits,
  bought: count(
    'Credits that were bought or granted, less what the operator withdrew. What is neither available nor reserved of them was spent: bought = available + reserved + settled.',
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
  runwayDays: Type.Union([count(), Type.Null()], {
    description:
      'Whole days that the available credits last at the average of the last 7 days; null when nothing was spent.',
  }),
  firstSteps: named('FirstSteps', {
    hasOrder: Type.Boolean({ description: 'Credits were added.' }),
    hasKey: Type.Boolean({ description: 'A key was created.' }),
    hasCall: Type.Boolean({ description: 'A billable call was accepted.' }),
  }),
  baseUrl: Type.String({ format: 'uri', description: 'Where programs call this service.' }),
  smsInboxUrl: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: 'The local page with the messages that were not really sent; null where there is none.',
  }),
  paymentMode: Choice(['disabled', 'local-simulated']),
})

export type Overview = Static<typeof Overview>
