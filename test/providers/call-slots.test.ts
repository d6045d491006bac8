import { beforeEach, describe, expect, it } from 'vitest'
import { CallSlots } from '../../src/providers/call-slots.ts'

describe('the slots of a provider', () => {
  let nowMs: number
  let slots: CallSlots
  beforeEach(() => {
    nowMs = 1000
    slots = new CallSlots({ maxConcurrent: 4, contentionMs: 30_000, monotonicMs: () => nowMs })
  })
  const take = (projectId: string) => {
    const hasSlot = slots.hasSlotFor(projectId)
    if (hasSlot) slots.acquire(projectId)
    return hasSlot
  }

  it('all slots go to a project that is alone', () => {
    expect(['a', 'a', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, true, false])
    slots.free('a')
    expect(take('a')).toBe(true)
  })

  it('a project gets half of the slots while another one calls too', () => {
    expect(['b', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, false])
    expect(['b', 'b'].map(take)).toEqual([true, false])
  })

  it('all slots go to one project again once no other has called for a while', () => {
    expect(take('b')).toBe(true)
    slots.free('b')
    nowMs += 29_999
    expect(['a', 'a', 'a'].map(take)).toEqual([true, true, false])
    nowMs += 1
    expect(['a', 'a'].map(take)).toEqual([true, true])
  })

  it('the slots of a provider are shared by as many projects as ask, and a project with none gets one at once', () => {
    slots = new CallSlots({ maxConcurrent: 16, contentionMs: 30_000, monotonicMs: () => nowMs })
    const takeAll = (projectId: string) => {
      let taken = 0
      while (take(projectId)) taken += 1
      return taken
    }
    // Alone: all but those kept for projects with none.
    expect(takeAll('a')).toBe(14)
    expect(takeAll('b')).toBe(1)
    // Two accounts whose calls hang hold what they can, and the third still gets through.
    expect(['c', 'd'].map(take)).toEqual([true, false])
    for (let free = 0; free < 14; free += 1) slots.free('a')
    // Four projects ask for the 14 slots that are not kept; two of them have one already.
    expect(['a', 'b', 'c', 'd'].map(takeAll)).toEqual([4, 3, 3, 2])
    nowMs += 30_000
    for (const [projectId, held] of Object.entries({ a: 4, b: 4, c: 4, d: 2 }))
      for (let free = 0; free < held; free += 1) slots.free(projectId)
    expect(takeAll('c')).toBe(14)
  })

  it('a single slot serves every project', () => {
    slots = new CallSlots({ maxConcurrent: 1, contentionMs: 30_000, monotonicMs: () => nowMs })
    expect(['a', 'b'].map(take)).toEqual([true, false])
    slots.free('a')
    expect(['b', 'a'].map(take)).toEqual([true, false])
  })
})
