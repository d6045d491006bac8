import { describe, expect, it } from 'vitest'
import { countsOf, maxCounts } from '../../src/contract/budget-periods.ts'
import { idempotencySlot } from '../../src/ledger/batch-state.ts'
import type { BudgetState } from '../../src/ledger/commands.ts'
import { decide } from '../../src/ledger/rules.ts'
import { auditNote } from '../../testkit/store/commands.ts'
import { admit, end, stateWith } from './rule-inputs.ts'

describe('a budget', () => {
  const noon = Date.UTC(2026, 8, 3, 12)
  /** In Shanghai. */
  const midnight = Date.UTC(2026, 8, 3, 16)
  const budget = (over: Partial<BudgetState> = {}): BudgetState => ({
    budgetId: 'key',
    credits: 6,
    per: 'day',
    periodFrom: noon,
    spent: 0,
    reachedAt: null,
    otherCounts: '[]',
    ...over,
  })
  const stateOf = (over: Partial<BudgetState> = {}, available = 100) =>
    stateWith({ available, key: { budgetId: 'key' }, budget: budget(over) })
  const call = (name: string, at = noon) => admit({ chargeId: name, idempotencyDigest: name, at })

  it('a budget is never passed by one credit, by any calls of a batch', () => {
    const state = stateOf({ credits: 8 })
    const { results, changes } = decide(state, [call('a'), call('b'), call('c'), call('d', noon + 1)])
    expect(results.map(({ kind }) => kind)).toEqual(['reserved', 'reserved', 'refused', 'refused'])
    expect(results[2]).toEqual({
      kind: 'refused',
      code: 'INSUFFICIENT_PAID_CREDITS',
      because: { budget: { credits: 8, per: 'day' } },
      limit: { source: 'key_budget', remaining: 2, resetsAt: midnight },
    })
    expect(state.budgets.get('key')).toMatchObject({ spent: 6, reachedAt: noon })
    expect(state.slots.has(idempotencySlot('prj', 'c'))).toBe(false)
    expect(changes.reserved.map(({ charge }) => charge.budgetPeriod)).toEqual([noon, noon])
    // A later refusal of the period changes nothing more.
    expect(decide(state, [call('e')]).changes.budgets.size).toBe(0)
  })

  it('a budget gets released credits back, but keeps settled and reviewed ones', () => {
    const state = stateOf()
    decide(state, [call('a'), call('b')])
    decide(state, [end({ chargeId: 'a' }), end({ chargeId: 'b', to: 'manual_review' })])
    expect(state.budgets.get('key')!.spent).toBe(6)
    decide(state, [end({ chargeId: 'b', from: 'manual_review', to: 'released', decision: auditNote() })])
    expect(state.budgets.get('key')!.spent).toBe(3)
  })

  it('a budget starts again with a day in Shanghai, and a release of the day before does not count for it', () => {
    const state = stateOf()
    decide(state, [call('a'), call('b')])
    expect(decide(state, [call('c', midnight - 1)]).results).toMatchObject([{ kind: 'refused' }])
    expect(decide(state, [call('d', midnight)]).results).toMatchObject([{ kind: 'reserved' }])
    expect(state.budgets.get('key')).toEqual(
      budget({ periodFrom: midnight, spent: 3, otherCounts: JSON.stringify([[noon, 6, midnight - 1]]) }),
    )
    decide(state, [end({ chargeId: 'a', to: 'released', at: midnight })])
    expect(state.budgets.get('key')!.spent).toBe(3)
    // The clock of another instance may be late: its calls count for the day before, which has 3 left since the release.
    expect(decide(state, [call('e', midnight - 1), call('f', midnight - 1)]).results).toMatchObject([
      { kind: 'reserved' },
      { kind: 'refused' },
    ])
    expect(decide(state, [call('g', midnight), call('h', midnight)]).results).toMatchObject([
      { kind: 'reserved' },
      { kind: 'refused' },
    ])
  })

  it('a budget that a clock ahead moved into the future counts for today again, and what was spent in either is kept', () => {
    const state = stateOf()
    const nextYear = Date.UTC(2027, 8, 3)
    const kinds = (...commands: Parameters<typeof decide>[1]) => decide(state, commands).results.map(({ kind }) => kind)
    expect(kinds(call('a'), call('ahead', nextYear), call('b'), call('c'))).toEqual([
      ...['reserved', 'reserved', 'reserved', 'refused'],
    ])
    expect(kinds(call('d', midnight), call('e', midnight), call('f', midnight))).toEqual([
      ...['reserved', 'reserved', 'refused'],
    ])
    // Back and forth: no day gets its credits twice.
    expect(kinds(call('g'), call('h', midnight), call('i'), call('j', nextYear), call('k', nextYear))).toEqual([
      ...['refused', 'refused', 'refused', 'reserved', 'refused'],
    ])
    decide(state, [end({ chargeId: 'b', to: 'released', at: midnight })])
    expect(kinds(call('l', midnight), call('m'), call('n'))).toEqual(['refused', 'reserved', 'refused'])
  })

  it('a budget that was set by a clock ahead counts from the first call on', () => {
    const state = stateOf({ periodFrom: Date.UTC(2027, 8, 3), spent: 6 })
    const { results, changes } = decide(state, [call('a'), call('b'), call('c'), call('d', midnight)])
    expect(results.map(({ kind }) => kind)).toEqual(['reserved', 'reserved', 'refused', 'reserved'])
    const today = midnight - 86_400_000
    expect(changes.reserved.map(({ charge }) => charge.budgetPeriod)).toEqual([today, today, midnight])
  })

  it('a budget remembers a bounded number of days, and a clock before all of them gets nothing extra', () => {
    const state = stateOf({}, 1000)
    const day = (number: number) => call(`day ${number}`, noon + number * 86_400_000)
    decide(
      state,
      Array.from({ length: 100 }, (_, number) => day(number)),
    )
    expect(countsOf(state.budgets.get('key')!)).toHaveLength(maxCounts)
    const late = Array.from({ length: 10 }, (_, number) => call(`late ${number}`))
    const results = decide(state, late).results.filter(({ kind }) => kind === 'reserved')
    expect(results).toHaveLength(1)
    expect(state.budgets.get('key')).toMatchObject({ spent: 6 })
  })

  it('a budget by month starts again on the first; a total never does', () => {
    const nextYear = Date.UTC(2026, 11, 31, 16)
    for (const [per, kind] of [
      ['month', 'reserved'],
      ['total', 'refused'],
    ] as const) {
      expect(decide(stateOf({ per, spent: 6 }), [call('a', Date.UTC(2026, 8, 30, 15, 59))]).results).toMatchObject([
        { kind: 'refused' },
      ])
      expect(decide(stateOf({ per, spent: 6 }), [call('a', nextYear)]).results).toMatchObject([{ kind }])
    }
  })

  it('a budget is not touched by calls that the balance refuses, and limits nothing once it is removed', () => {
    const state = stateOf({}, 2)
    expect(decide(state, [call('a')]).results).toEqual([
      {
        kind: 'refused',
        code: 'INSUFFICIENT_PAID_CREDITS',
        limit: { source: 'credits', remaining: 2, resetsAt: null },
      },
    ])
    expect(state.budgets.get('key')).toEqual(budget())
    const removed = stateOf({ credits: null, spent: 6 })
    const { results, changes } = decide(removed, [call('a')])
    expect(results).toEqual([{ kind: 'reserved' }])
    expect([changes.budgets.size, changes.reserved[0]!.charge.budgetId]).toEqual([0, null])
  })
})
