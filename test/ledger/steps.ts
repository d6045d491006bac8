import fc from 'fast-check'
import type { BudgetPer, Ending } from './model.ts'

/** What can happen to one project, in any order. */
export type Step =
  | { readonly do: 'credit'; readonly credits: number }
  | { readonly do: 'call'; readonly slot: string; readonly prompt: string; readonly ending: Ending }
  | {
      readonly do: 'duplicates'
      readonly slot: string
      readonly prompt: string
      readonly ending: Ending
      readonly count: number
    }
  /** A call that stays under way until it is finished or its instance dies. */
  | { readonly do: 'begin'; readonly slot: string; readonly prompt: string }
  | { readonly do: 'finish'; readonly ending: Ending }
  /** The instance dies with everything under way; another one recovers. */
  | { readonly do: 'crash' }
  /** A call of a dead instance resumes after it was recovered. */
  | { readonly do: 'revenant'; readonly ending: Ending }
  | { readonly do: 'decide'; readonly to: 'settled' | 'released' }
  | { readonly do: 'move'; readonly kind: 'grant' | 'withdraw'; readonly credits: number; readonly reference: string }
  | { readonly do: 'suspend' | 'reinstate' }
  | { readonly do: 'budget'; readonly budget: { readonly credits: number; readonly per: BudgetPer } | null }
  /** The customer's key is replaced by one of the same chain. */
  | { readonly do: 'rotate'; readonly isOldStillValid: boolean }
  /** A new day begins. */
  | { readonly do: 'tomorrow' }

const slot = fc.constantFrom('key-1', 'key-2', 'key-3', 'key-4')
const prompt = fc.constantFrom('first', 'second')
const ending = fc.constantFrom<Ending>('confirmed', 'refused, sent', 'refused, not sent', 'uncertain')

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('credit' as const),
      credits: fc.integer({ min: 1, max: 2 }).map((n) => n * 10),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('call' as const), slot, prompt, ending }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('duplicates' as const),
      slot,
      prompt,
      ending,
      count: fc.integer({ min: 2, max: 5 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('begin' as const), slot, prompt }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('finish' as const), ending }) },
  { weight: 1, arbitrary: fc.constant({ do: 'crash' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revenant' as const), ending }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      kind: fc.constantFrom('grant' as const, 'withdraw' as const),
      credits: fc.constantFrom(2, 5),
      reference: fc.constantFrom('bank 1', 'bank 2', 'bank 3'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('budget' as const),
      budget: fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({
            credits: fc.constantFrom(3, 5, 9),
            per: fc.constantFrom('day' as const, 'total' as const),
          }),
        },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rotate' as const), isOldStillValid: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ do: 'tomorrow' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'suspend' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'reinstate' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      to: fc.constantFrom('settled' as const, 'released' as const),
    }),
  },
)

export const sequence = fc.record({
  leavesProcess: fc.boolean(),
  steps: fc.array(step, { minLength: 4, maxLength: 14 }),
})
export type Sequence = { readonly leavesProcess: boolean; readonly steps: readonly Step[] }
