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

  it('all go to a project that is alone', () => {
    expect(['a', 'a', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, true, false])
    slots.free('a')
    expect(take('a')).toBe(true)
  })

  it('a project gets half while another one calls too', () => {
    expect(['b', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, false])
    expect(['b', 'b'].map(take)).toEqual([true, false])
  })

  it('all go to one project again once no other has called for a while', () => {
    expect(take('b')).toBe(true)
    slots.free('b')
    nowMs += 29_999
    expect(['a', 'a', 'a'].map(take)).toEqual([true, true, false])
    nowMs += 1
    expect(['a', 'a'].map(take)).toEqual([true, true])
  })

  it('a single slot serves every project', () => {
    slots = new CallSlots({ maxConcurrent: 1, contentionMs: 30_000, monotonicMs: () => nowMs })
    expect(['a', 'b'].map(take)).toEqual([true, false])
    slots.free('a')
    expect(['b', 'a'].map(take)).toEqual([true, false])
  })
})
