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

  it('all go to a project that calls alone', () => {
    expect(['a', 'a', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, true, false])
    places.giveBack('a')
    expect(take('a')).toBe(true)
  })

  it('are limited to half for a project while another calls too', () => {
    expect(['b', 'a', 'a', 'a'].map(take)).toEqual([true, true, true, false])
    expect(['b', 'b'].map(take)).toEqual([true, false])
  })

  it('all go to one project again once the others have been quiet', () => {
    expect(take('b')).toBe(true)
    places.giveBack('b')
    nowMs += 29_999
    expect(['a', 'a', 'a'].map(take)).toEqual([true, true, false])
    nowMs += 1
    expect(['a', 'a'].map(take)).toEqual([true, true])
  })

  it('a provider with a single place still serves everybody', () => {
    places = new Places({ maxConcurrent: 1, contentionMs: 30_000, monotonicMs: () => nowMs })
    expect(['a', 'b'].map(take)).toEqual([true, false])
    places.giveBack('a')
    expect(['b', 'a'].map(take)).toEqual([true, false])
  })
})
