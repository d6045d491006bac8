import { describe, expect, it } from 'vitest'
import { emptyChain } from '../../src/ledger/audit.ts'
import { type BatchState, movementSlot } from '../../src/ledger/batch-state.ts'
import type { Movement } from '../../src/ledger/commands.ts'
import type { PendingApproval } from '../../src/ledger/movements.ts'
import { decide } from '../../src/ledger/rules.ts'
import { emptyBatchState } from '../../src/storage/batch/rows.ts'
import { admission, auditNote, keyState, movement } from '../../testkit/store/commands.ts'

function stateWith({ available = 0, approval }: { available?: number; approval?: PendingApproval } = {}): BatchState {
  const state = emptyBatchState(100)
  const rest = { reserved: 5, settled: 2, entries: 7, lastEntryId: 70, lowBalanceCredits: null, emptyAt: null }
  state.balances.set('prj', { projectId: 'prj', available, credited: available + 7, ...rest })
  state.auditHead = emptyChain
  if (approval) state.pendingApprovals.set(movementSlot(approval), approval)
  return state
}

const grant = (over: Partial<Movement> = {}) => movement({ reference: 'bank 1', ...over })
const withdraw = (over: Partial<Movement> = {}) => grant({ type: 'withdraw', ...over })
const approval: PendingApproval = {
  approvalId: 'apv',
  projectId: 'prj',
  kind: 'grant',
  amount: 10,
  reference: 'bank 1',
  requestedBy: 'Ada',
}

describe('a grant', () => {
  it('a grant adds available credits, a lot, a ledger entry and an audit entry with the balance before and after', () => {
    const state = stateWith({ available: 3 })
    const { results, changes } = decide(state, [grant({ lotId: 'lot', at: 9 })])
    expect(results).toMatchObject([{ kind: 'moved', replayed: false, movement: { available: 13, reserved: 5 } }])
    expect(state.balances.get('prj')).toMatchObject({
      available: 13,
      reserved: 5,
      settled: 2,
      credited: 20,
      entries: 8,
    })
    expect(changes.entries).toMatchObject([
      { kind: 'grant', amount: 10, lotId: 'lot', chargeId: null, available: 13, at: 9 },
    ])
    expect(changes.moved).toMatchObject([{ movement: { entryId: 100, reference: 'bank 1' } }])
    expect(changes.audited).toMatchObject([
      {
        seq: 1,
        action: 'credits.grant',
        before: '{"available":3,"reserved":5}',
        after: '{"available":13,"reserved":5,"credits":10,"reference":"bank 1"}',
      },
    ])
  })

  it('a grant with a used reference gets the first result, or is refused with another amount, and writes nothing', () => {
    const state = stateWith()
    const { results, changes } = decide(state, [
      grant(),
      grant(),
      grant({ credits: 11 }),
      grant({ reference: 'bank 2' }),
    ])
    expect(results).toMatchObject([
      { kind: 'moved', replayed: false, movement: { available: 10 } },
      { kind: 'moved', replayed: true, movement: { available: 10 } },
      { kind: 'refused', code: 'REFERENCE_ALREADY_USED' },
      { kind: 'moved', replayed: false, movement: { available: 20 } },
    ])
    expect(changes.entries).toHaveLength(2)
    expect(changes.audited.map(({ seq }) => seq)).toEqual([1, 2])
    expect(changes.audited[1]!.previousHash).toBe(changes.audited[0]!.hash)
  })

  it('a grant may use the reference of a withdrawal, and the other way round', () => {
    const results = decide(stateWith(), [grant(), withdraw({ credits: 4 })]).results
    expect(results).toMatchObject([{ kind: 'moved' }, { kind: 'moved', movement: { available: 6 } }])
  })

  it('a grant to an unknown project is refused', () => {
    expect(decide(stateWith(), [grant({ projectId: 'unknown' })]).results).toEqual([
      { kind: 'refused', code: 'PROJECT_NOT_FOUND' },
    ])
  })

  it('a grant can be spent by a call of the same batch', () => {
    const state = stateWith()
    state.keys.set('key', keyState())
    expect(decide(state, [grant(), admission()]).results).toMatchObject([{ kind: 'moved' }, { kind: 'reserved' }])
  })
})

describe('a withdrawal', () => {
  it('a withdrawal takes available credits back, so that the balance still adds up', () => {
    const state = stateWith({ available: 12 })
    const { results, changes } = decide(state, [withdraw()])
    expect(results).toMatchObject([{ kind: 'moved', movement: { available: 2, reserved: 5 } }])
    expect(state.balances.get('prj')).toMatchObject({ available: 2, reserved: 5, settled: 2, credited: 9 })
    expect(changes.entries).toMatchObject([{ kind: 'withdraw', amount: 10, lotId: null, chargeId: null }])
  })

  it('a withdrawal of more than is available is refused, whatever is reserved', () => {
    const { results, changes } = decide(stateWith({ available: 9 }), [withdraw()])
    expect(results).toEqual([{ kind: 'refused', code: 'AVAILABLE_CREDITS_EXCEEDED' }])
    expect([changes.entries, changes.audited, [...changes.balances]]).toEqual([[], [], []])
  })
})

describe('an approval', () => {
  const by = (name: string) => ({ note: auditNote({ by: name }) })

  it('an approval lets another operator carry out what was asked for, once', () => {
    const state = stateWith({ approval })
    const approve = grant({ approvalId: 'apv', ...by('Bea') })
    const { results, changes } = decide(state, [approve, approve])
    expect(results).toMatchObject([{ kind: 'moved' }, { kind: 'refused', code: 'APPROVAL_NOT_PENDING' }])
    expect(changes.moved).toHaveLength(1)
    expect(changes.audited[0]!.after).toContain('"approvalId":"apv","requestedBy":"Ada"')
  })

  it.each(['Ada', ' ada '])('an approval is not given by %j, who asked for it', (name) => {
    const { results, changes } = decide(stateWith({ approval }), [grant({ approvalId: 'apv', ...by(name) })])
    expect(results).toEqual([{ kind: 'refused', code: 'APPROVAL_OWN_REQUEST' }])
    expect(changes.entries).toEqual([])
  })

  it('an approval that is no longer pending, or was for another amount, is refused', () => {
    const code = 'APPROVAL_NOT_PENDING'
    expect(decide(stateWith(), [grant({ approvalId: 'apv', ...by('Bea') })]).results).toMatchObject([{ code }])
    const more = grant({ approvalId: 'apv', credits: 11, ...by('Bea') })
    expect(decide(stateWith({ approval }), [more]).results).toMatchObject([{ code }])
  })

  it('an approval that is pending answers a repeat of its request, and refuses another amount', () => {
    expect(decide(stateWith({ approval }), [grant(), grant({ credits: 9 })]).results).toEqual([
      { kind: 'pending', approvalId: 'apv' },
      { kind: 'refused', code: 'REFERENCE_ALREADY_USED' },
    ])
  })
})
