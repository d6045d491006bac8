import { describe, expect, it } from 'vitest'
import type { BatchState } from '../../src/ledger/batch-state.ts'
import type { Command, KeyState } from '../../src/ledger/commands.ts'
import { decide } from '../../src/ledger/rules.ts'
import { emptyBatchState } from '../../src/storage/batch/rows.ts'
import { admission, auditNote, ending, keyState, movement } from '../../testkit/store/commands.ts'

interface Start {
  readonly available?: number
  readonly lowBalanceCredits?: number | null
  readonly key?: Partial<KeyState>
}

function stateWith({ available = 0, lowBalanceCredits = null, key = {} }: Start = {}): BatchState {
  const state = emptyBatchState(100)
  const sums = { available, reserved: 0, settled: 0, credited: available }
  const marks = { entries: 1, lastEntryId: 1, lowBalanceCredits, emptyAt: null }
  state.balances.set('prj', { projectId: 'prj', ...sums, ...marks })
  state.keys.set('key', keyState(key))
  state.auditHead = { entries: 0, hash: '' }
  return state
}

let charges = 0
const call = (credits = 3) => admission({ chargeId: `chg ${++charges}`, credits, at: 50 })
const eventsOf = (state: BatchState, ...commands: Command[]) => decide(state, commands).changes.events
const typesOf = (state: BatchState, ...commands: Command[]) => eventsOf(state, ...commands).map(({ type }) => type)
const rest = { at: 50, projectId: 'prj' }

describe('a call that crosses no threshold', () => {
  it('a call that crosses no threshold raises nothing and writes no mark, however it ends', () => {
    const state = stateWith({ available: 1000 })
    const calls = [call(), call()]
    const ends = calls.map(({ chargeId }, i) => ending({ chargeId, to: i === 0 ? 'settled' : 'released' }))
    const { changes } = decide(state, [...calls, ...ends])
    expect(changes.reserved).toHaveLength(2)
    expect(changes.ended).toHaveLength(2)
    expect(changes.events).toEqual([])
    expect(changes.emptyChanged.size).toBe(0)
  })
})

describe('credits.low', () => {
  it('credits.low is raised by the call that takes the available credits below 100, and by no later one', () => {
    expect(eventsOf(stateWith({ available: 104 }), call(), call(), call())).toEqual([
      { type: 'credits.low', ...rest, data: { available: 98, lowBalanceCredits: 100 } },
    ])
    expect(typesOf(stateWith({ available: 103 }), call())).toEqual([])
    expect(typesOf(stateWith({ available: 99 }), call())).toEqual([])
  })

  it('credits.low is raised at the threshold of the payer, and never at 0', () => {
    expect(typesOf(stateWith({ available: 104, lowBalanceCredits: 10 }), call(), call())).toEqual([])
    expect(typesOf(stateWith({ available: 12, lowBalanceCredits: 10 }), call())).toEqual(['credits.low'])
    expect(typesOf(stateWith({ available: 3, lowBalanceCredits: 0 }), call())).toEqual([])
  })

  it('credits.low is raised by a withdrawal too', () => {
    const withdrawal = movement({ type: 'withdraw', credits: 20, at: 50 })
    expect(eventsOf(stateWith({ available: 110 }), withdrawal)).toEqual([
      { type: 'credits.withdrawn', ...rest, data: { credits: 20, available: 90 } },
      { type: 'credits.low', ...rest, data: { available: 90, lowBalanceCredits: 100 } },
    ])
  })

  it('credits.low is raised again after credits came in or came back', () => {
    const state = stateWith({ available: 101 })
    const first = call()
    expect(typesOf(state, first, ending({ chargeId: first.chargeId, to: 'released' }), call())).toEqual([
      'credits.low',
      'credits.low',
    ])
    expect(typesOf(state, movement({ credits: 10 }), call(9))).toEqual(['credits.granted', 'credits.low'])
  })
})

describe('credits.empty', () => {
  it('credits.empty is raised by the first refusal for lack of credits since credits came in, not since a release', () => {
    const state = stateWith({ available: 5, lowBalanceCredits: 0 })
    const first = call()
    expect(eventsOf(state, first, call(), call())).toEqual([
      { type: 'credits.empty', ...rest, data: { available: 2, credits: 3 } },
    ])
    expect(state.balances.get('prj')!.emptyAt).toBe(50)
    expect(typesOf(state, ending({ chargeId: first.chargeId, to: 'released' }), call(9))).toEqual([])
    expect(typesOf(state, movement({ credits: 1 }), call(9), call(9))).toEqual(['credits.granted', 'credits.empty'])
  })

  it('credits.empty is raised again after an order was credited', () => {
    const state = stateWith({ lowBalanceCredits: 0 })
    expect(typesOf(state, call())).toEqual(['credits.empty'])
    const order = { orderId: 'ord', projectId: 'prj', amountFen: 10, creditAmount: 1, pricingVersion: 'v1' }
    state.orders.set('ord', { ...order, createdAt: 0, state: 'pending', creditedAt: null })
    const credit = { type: 'credit', orderId: 'ord', projectId: 'prj', lotId: 'lot', at: 50 } as const
    expect(eventsOf(state, credit)).toEqual([
      { type: 'order.credited', ...rest, data: { orderId: 'ord', credits: 1, available: 1 } },
    ])
    expect(typesOf(state, call())).toEqual(['credits.empty'])
  })
})

describe('key.budget_reached', () => {
  it('key.budget_reached is raised by the first refusal of a period', () => {
    const state = stateWith({ available: 1000, key: { budgetId: 'key' } })
    const day = 86_400_000
    const budget = {
      budgetId: 'key',
      credits: 3,
      per: 'day',
      periodFrom: 0,
      spent: 0,
      reachedAt: null,
      otherCounts: '[]',
    } as const
    state.budgets.set('key', { ...budget })
    // In Shanghai.
    const midnight = day - 8 * 3_600_000
    expect(eventsOf(state, call(), call(), call())).toEqual([
      {
        type: 'key.budget_reached',
        ...rest,
        data: { keyId: 'key', credits: 3, per: 'day', resetsAt: new Date(midnight).toISOString() },
      },
    ])
    expect(typesOf(state, call())).toEqual([])
    const tomorrow = () => ({ ...call(), at: midnight })
    expect(typesOf(state, tomorrow(), tomorrow(), tomorrow())).toEqual(['key.budget_reached'])
  })
})

describe('the end of a charge', () => {
  it('the end of a charge raises events for a review that was opened and decided, once each', () => {
    const state = stateWith({ available: 1000 })
    const one = call()
    const { chargeId } = one
    const open = ending({ chargeId, to: 'manual_review', at: 50 })
    const charge = { chargeId, operation: 'model.chat', credits: 3 }
    expect(eventsOf(state, one, open, open)).toEqual([{ type: 'charge.review_opened', ...rest, data: charge }])
    const decide = ending({ chargeId, from: 'manual_review', to: 'released', decision: auditNote(), at: 50 })
    expect(eventsOf(state, decide, decide)).toEqual([
      { type: 'charge.review_decided', ...rest, data: { ...charge, decision: 'released' } },
    ])
  })

  it('the end of a charge raises the event of the media job that it paid for', () => {
    const state = stateWith({ available: 1000 })
    const one = call()
    const { chargeId } = one
    const job = { jobId: 'job_1', status: 'failed', errorCode: 'PROVIDER_REQUEST_REJECTED', content: null } as const
    expect(eventsOf(state, one, ending({ chargeId, to: 'released', job, at: 50 }))).toEqual([
      {
        type: 'media.job_finished',
        ...rest,
        data: { jobId: 'job_1', chargeId, status: 'failed', errorCode: 'PROVIDER_REQUEST_REJECTED' },
      },
    ])
  })
})
