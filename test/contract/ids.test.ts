import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId, newSortableId, randomBase62, sortableIdFloor, timeOfSortableId } from '../../src/base/ids.ts'

const anyTime = fc.integer({ min: 1, max: 4_000_000_000_000 })
const sorted = (ids: readonly string[]) => ids.toSorted()

describe('identifiers that sort by their time', () => {
  it('identifiers that sort by their time keep their order within a millisecond and when the clock is set back a little', () => {
    fc.assert(
      fc.property(anyTime, fc.array(fc.integer({ min: -5000, max: 5000 }), { maxLength: 50 }), (start, steps) => {
        // Far enough ahead to be accepted, whatever ids were made before.
        newSortableId('chg', start + 20_000)
        let latest = start
        // Never more than ten seconds behind the latest one.
        const times = steps.map((step) => {
          const at = Math.max(latest + step, 1)
          latest = Math.max(latest, at)
          return at
        })
        const ids = [start, ...times].map((at) => newSortableId('chg', at))
        expect(ids).toEqual(sorted(ids))
      }),
    )
  })

  it('identifiers that sort by their time follow a clock that is set back further than that', () => {
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 10_001, max: 1_000_000_000 }), (now, back) => {
        newSortableId('chg', now + back)
        const id = newSortableId('chg', now)
        expect(id >= sortableIdFloor('chg', now) && id < sortableIdFloor('chg', now + 1)).toBe(true)
      }),
    )
  })

  it('identifiers that sort by their time say when they were made, which other identifiers do not', () => {
    fc.assert(
      fc.property(anyTime, (now) => {
        newSortableId('req', now + 20_000)
        newSortableId('req', now)
        expect(timeOfSortableId(newSortableId('req', now))).toBe(now)
      }),
    )
    expect(timeOfSortableId(newId('req'))).toBeUndefined()
    expect(timeOfSortableId('req_none')).toBeUndefined()
  })

  it('identifiers that sort by their time differ, however many are made at once', () => {
    const ids = Array.from({ length: 20_000 }, () => newSortableId('chg', 1_700_000_000_000))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

it('other identifiers have as many letters and digits as documented', () => {
  for (let length = 0; length <= 100; length += 1) {
    expect(randomBase62(length)).toMatch(RegExp(`^[0-9A-Za-z]{${length}}$`))
  }
  expect(newId('key')).toMatch(/^key_[0-9A-Za-z]{22}$/)
})
