import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { monotonicMs, now, systemClock, useClock } from '../../src/base/clock.ts'
import { newId, newSortableId, resetIds } from '../../src/base/ids.ts'
import {
  type Randomness,
  randomBytes,
  randomInt,
  randomShare,
  randomUUID,
  systemRandomness,
  useRandomness,
} from '../../src/base/randomness.ts'
import {
  delay,
  every,
  after as runAfter,
  soon,
  systemTimers,
  type Timers,
  timeoutSignal,
  useTimers,
} from '../../src/base/timers.ts'

afterEach(() => {
  useClock(systemClock)
  useTimers(systemTimers)
  useRandomness(systemRandomness)
  resetIds()
})

describe('the clock', () => {
  it('the clock is the one in use', () => {
    useClock({ now: () => 1000, monotonicMs: () => 7 })
    expect([now(), monotonicMs()]).toEqual([1000, 7])
  })

  it('the clock is that of the machine otherwise', () => {
    expect(now()).toBeGreaterThan(Date.UTC(2025, 0))
    expect(monotonicMs()).toBeLessThanOrEqual(performance.now())
  })
})

/** Timers that the test fires. */
function heldTimers() {
  const held: { ms: number; work: () => void; isReferenced: boolean; isCancelled: boolean }[] = []
  const hold = (ms: number, work: () => void) => {
    const entry = { ms, work, isReferenced: true, isCancelled: false }
    held.push(entry)
    const timer = {
      cancel: () => {
        entry.isCancelled = true
      },
      unref: () => {
        entry.isReferenced = false
        return timer
      },
    }
    return timer
  }
  const timers: Timers = { after: hold, every: hold, soon: (work) => void hold(0, work) }
  return { held, timers }
}

describe('timers', () => {
  it('timers are those in use', () => {
    const { held, timers } = heldTimers()
    useTimers(timers)
    const nothing = () => {}
    runAfter(5, nothing)
    every(6, nothing)
    soon(nothing)
    expect(held.map(({ ms }) => ms)).toEqual([5, 6, 0])
  })

  it('timers of the machine can be cancelled', async () => {
    const fired: string[] = []
    runAfter(0, () => fired.push('after')).cancel()
    every(0, () => fired.push('every')).cancel()
    // Of the same length, so it would fire after them.
    await delay(0)
    expect(fired).toEqual([])
  })

  it('timers of the machine run the work again at an interval', async () => {
    await new Promise<void>((resolve) => {
      let count = 0
      const timer = every(1, () => {
        count += 1
        if (count < 3) return
        timer.cancel()
        resolve()
      })
    })
  })
})

describe('a delay', () => {
  it('a delay ends when the timers in use say so', async () => {
    const { held, timers } = heldTimers()
    useTimers(timers)
    const ended = delay(1000)
    expect(held).toMatchObject([{ ms: 1000, isReferenced: true }])
    held[0]!.work()
    expect(await ended).toBe(undefined)
  })

  it('a delay lets the process end if asked to', () => {
    const { held, timers } = heldTimers()
    useTimers(timers)
    void delay(1000, { ref: false })
    expect(held).toMatchObject([{ isReferenced: false }])
  })

  it('a delay rejects at once with a signal that was aborted before', async () => {
    const { held, timers } = heldTimers()
    useTimers(timers)
    const signal = AbortSignal.abort('reason')
    await expect(delay(1000, { signal })).rejects.toMatchObject({
      name: 'AbortError',
      code: 'ABORT_ERR',
      cause: 'reason',
    })
    expect(held).toEqual([])
  })

  it('a delay rejects and cancels its timer when the signal is aborted', async () => {
    const { held, timers } = heldTimers()
    useTimers(timers)
    const controller = new AbortController()
    const ended = delay(1000, { signal: controller.signal })
    controller.abort()
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
    expect(held).toMatchObject([{ isCancelled: true }])
  })
})

describe('a signal with a time limit', () => {
  it('a signal with a time limit is aborted when the timers in use say so, as that of the machine', async () => {
    const { held, timers } = heldTimers()
    useTimers(timers)
    const signal = timeoutSignal(1000)
    expect(held).toMatchObject([{ ms: 1000, isReferenced: false }])
    expect(signal.aborted).toBe(false)
    held[0]!.work()
    const ofMachine = AbortSignal.timeout(0)
    await new Promise((resolve) => ofMachine.addEventListener('abort', resolve))
    expect(signal.reason).toBeInstanceOf(DOMException)
    expect([signal.reason.name, signal.reason.message]).toEqual([ofMachine.reason.name, ofMachine.reason.message])
  })
})

/** Bytes that repeat. */
const repeating = (...cycle: readonly number[]): Randomness => {
  let position = 0
  return {
    fill(bytes) {
      for (let at = 0; at < bytes.length; at++) bytes[at] = cycle[position++ % cycle.length]!
    },
  }
}

describe('randomness', () => {
  it('randomness is the one in use from the next byte on', () => {
    newId('acc')
    useRandomness(repeating(1))
    expect(newId('acc')).toBe(`acc_${'1'.repeat(22)}`)
    expect(randomBytes(3)).toEqual(Buffer.from([1, 1, 1]))
    expect(randomUUID()).toBe('01010101-0101-4101-8101-010101010101')
    useRandomness(repeating(2))
    expect(newId('acc')).toBe(`acc_${'2'.repeat(22)}`)
  })

  it('randomness gives the same sortable identifiers again', () => {
    const made = () => {
      useRandomness(repeating(1, 2, 3))
      resetIds()
      return [newSortableId('chg', 5000), newSortableId('chg', 5000), newSortableId('chg', 4000)]
    }
    expect(made()).toEqual(made())
  })

  it('randomness gives numbers within their bounds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 48 }), (limit) => {
        const value = randomInt(limit)
        expect(Number.isInteger(value) && value >= 0 && value < limit).toBe(true)
      }),
    )
    const share = randomShare()
    expect(share >= 0 && share < 1).toBe(true)
  })

  it('randomness drops what would make some numbers more likely', () => {
    // 2^48 - 1 is a multiple of 3, so only the highest draw of all is dropped.
    useRandomness(repeating(255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 4))
    expect(randomInt(3)).toBe(1)
    useRandomness(repeating(255, 255, 255, 255, 255, 254))
    expect(randomInt(3)).toBe(2)
  })

  it('randomness reaches the lowest and the highest number', () => {
    useRandomness(repeating(0))
    expect([randomInt(10 ** 6), randomShare()]).toEqual([0, 0])
    useRandomness(repeating(255))
    expect(randomInt(2 ** 48)).toBe(2 ** 48 - 1)
    expect(randomShare()).toBeLessThan(1)
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 48 + 1])('randomness refuses the limit %d', (limit) => {
    expect(() => randomInt(limit)).toThrow(RangeError)
  })

  it('randomness gives version 4 UUIDs', () => {
    expect(randomUUID()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
