import { beforeEach, describe, expect, it } from 'vitest'
import { Places } from '../../src/providers/places.ts'

describe('the places of a provider', () => {
  let nowMs: number
  let places: Places
  beforeEach(() => {
    nowMs = 1000
    places = new Places({ maxConcurrent: 4, contentionMs: 30_000, monotonicMs: () => nowMs })
  })
  const take = (projectId: string) => {
    const hasOne = places.hasOneFor(projectId)
    if (hasOne) places.take(projectId)
    return hasOne
  }

  it('are all for a project that is alone', () => {
    expect(['a', 'a', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, true, false])
    places.giveBack('a')
    expect(take('a')).toBe(true)
  })

  it('are half for a project while another calls too', () => {
    expect(['b', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, false])
    expect(['b', 'b'].map(take)).toEqual([true, false])
  })

  it('are all for one again when no other has called for a while', () => {
    expect(take('b')).toBe(true)
    places.giveBack('b')
    nowMs += 29_999
    expect(['a', 'a', 'a'].map(take)).toEqual([true, true, false])
    nowMs += 1
    expect(['a', 'a'].map(take)).toEqual([true, true])
  })

  it('are kept from nobody by a single place', () => {
    places = new Places({ maxConcurrent: 1, contentionMs: 30_000, monotonicMs: () => nowMs })
    expect(['a', 'b'].map(take)).toEqual([true, false])
    places.giveBack('a')
    expect(['b', 'a'].map(take)).toEqual([true, false])
  })
})
