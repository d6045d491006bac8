import { describe, expect, test } from 'vitest'
import { FairQueue, type QueuedRequest } from '../../src/http/transport/admission-queue.ts'

interface Named extends QueuedRequest {
  readonly name: string
}

/** `a3` is the third request of requester a; each arrives a millisecond after the one before. */
const named = (...names: string[]) =>
  names.map((name, index): Named => ({ name, requesterId: name[0]!, startedAtMs: index }))

function queueOf(...names: string[]) {
  const queue = new FairQueue<Named>({ longQueue: 4, maxWaitMs: 100 })
  const requests = named(...names)
  for (const request of requests) queue.add(request)
  const take = (count: number, nowMs: number) => Array.from({ length: count }, () => queue.takeNext(nowMs)?.name)
  const takeLate = (count: number, nowMs: number) => Array.from({ length: count }, () => queue.takeLate(nowMs)?.name)
  return { queue, requests, take, takeLate }
}

describe('waiting requests', () => {
  test('waiting requests of one requester begin in the order of their arrival', () => {
    const { queue, take } = queueOf('a1', 'a2', 'a3')
    expect(take(4, 10)).toEqual(['a1', 'a2', 'a3', undefined])
    expect(queue.length).toBe(0)
  })

  test('waiting requests of several requesters take turns, however many one of them has', () => {
    const { take } = queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')
    expect(take(7, 10)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  test('waiting requests do not give a requester who comes again a turn before those who wait', () => {
    const { queue, take } = queueOf('a1', 'b1', 'b2')
    expect(take(1, 10)).toEqual(['a1'])
    for (const request of named('a2', 'a3')) queue.add(request)
    expect(take(4, 10)).toEqual(['b1', 'a2', 'b2', 'a3'])
  })

  test('waiting requests begin newest first under overload, and their requesters still take turns', () => {
    const { queue, take } = queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3')
    expect(take(2, 101)).toEqual(['b3', 'a4'])
    queue.add({ name: 'c1', requesterId: 'c', startedAtMs: 101 })
    expect(take(2, 101)).toEqual(['c1', 'b2'])
    // Short enough again: the oldest first.
    expect(take(4, 101)).toEqual(['b1', 'a1', 'a2', 'a3'])
  })

  test('waiting requests are refused oldest first, until the queue is short or the oldest has not waited too long', () => {
    const { takeLate } = queueOf('a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'a4')
    expect(takeLate(1, 100)).toEqual([undefined])
    expect(takeLate(2, 101)).toEqual(['a1', undefined])
    expect(takeLate(4, 1000)).toEqual(['b1', 'a2', undefined, undefined])
  })

  test('waiting requests in a short queue are never refused, however long the process was paused', () => {
    const { take, takeLate } = queueOf('a1', 'a2', 'a3', 'a4')
    expect(takeLate(1, 1e9)).toEqual([undefined])
    expect(take(4, 1e9)).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  test('waiting requests can be removed anywhere, once', () => {
    const { queue, requests, take } = queueOf('a1', 'b1', 'a2', 'a3', 'c1')
    expect([1, 3, 4, 3].map((index) => queue.remove(requests[index]!))).toEqual([true, true, true, false])
    expect(queue.length).toBe(2)
    expect(take(3, 10)).toEqual(['a1', 'a2', undefined])
    expect(queue.remove(requests[0]!)).toBe(false)
  })
})
