import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type AdmissionRequest, createAdmissionQueue } from '../../src/http/transport/admission-queue.ts'

interface Named extends AdmissionRequest {
  readonly name: string
}

/** A queue whose turns and time the test passes itself. */
function queueOf(perTurn: number, { longQueue = 1000 } = {}) {
  let nowMs = 0
  const soon: (() => void)[] = []
  const later: (() => void)[] = []
  let events: string[] = []
  const queue = createAdmissionQueue<Named>({
    perTurn,
    longQueue,
    maxWaitMs: 100,
    now: () => nowMs,
    begin: ({ name }) => void events.push(name),
    shed: ({ name }) => void events.push(`refuse ${name}`),
    soon: (turn) => void soon.push(turn),
    later: (turn) => void later.push(turn),
  })
  const run = (turns: (() => void)[]) => {
    events = []
    for (const turn of turns.splice(0)) turn()
    return events
  }
  const requests = (isKnown: boolean, requesterId: string, count: number, from = 1) =>
    Array.from({ length: count }, (_, index) => {
      const request = { name: `${requesterId}${from + index}`, isKnown, requesterId, startedAtMs: nowMs }
      queue.add(request)
      return request
    })
  return {
    queue,
    pass: (ms: number) => {
      nowMs += ms
    },
    scheduled: () => ({ soon: soon.length, later: later.length }),
    turn: () => run(soon),
    pausedTurn: () => run(later),
    strangers: (requesterId: string, count: number, from?: number) => requests(false, requesterId, count, from),
    known: (requesterId: string, count: number, from?: number) => requests(true, requesterId, count, from),
  }
}

describe('requests that arrive together', () => {
  test('requests that arrive together begin in the next turns, in order and never more than allowed at once', async () => {
    const begun: string[][] = [[]]
    const queue = createAdmissionQueue<Named>({
      perTurn: 2,
      longQueue: 4,
      maxWaitMs: 100,
      now: () => 0,
      begin: ({ name }) => void begun.at(-1)!.push(name),
      shed: () => expect.unreachable(),
    })
    for (const name of 'abcde') queue.add({ name, isKnown: true, requesterId: 'one', startedAtMs: 0 })
    expect(queue.length()).toBe(5)
    for (let turn = 0; turn < 4; turn += 1) {
      await nextTurn()
      begun.push([])
    }
    expect(begun).toEqual([['a', 'b'], ['c', 'd'], ['e'], [], []])
  })

  test('requests that arrive together do not begin if their client has disconnected', () => {
    const { queue, strangers, known, turn } = queueOf(4)
    const [first] = strangers('a', 2)
    const [second] = known('p', 2)
    expect([first, second, first].map((request) => queue.remove(request!))).toEqual([true, true, false])
    expect(turn()).toEqual(['p2', 'a2'])
  })
})

describe('a known key', () => {
  test('a known key goes before any number of strangers', () => {
    const { strangers, known, turn } = queueOf(3)
    strangers('a', 100)
    known('p', 4)
    known('q', 1)
    expect(turn().slice(0, 3)).toEqual(['p1', 'q1', 'p2'])
    expect(turn().slice(0, 2)).toEqual(['p3', 'p4'])
  })

  test('a known key slows strangers down to eight every 16 milliseconds while it is used, and no longer', () => {
    const { strangers, known, turn, pausedTurn, pass, scheduled } = queueOf(32)
    strangers('a', 1000)
    known('p', 1)
    // What strangers may begin at once is used up in two turns.
    expect(turn()).toHaveLength(33)
    expect(turn()).toHaveLength(32)
    expect(scheduled()).toEqual({ soon: 0, later: 1 })
    pass(15)
    expect(pausedTurn()).toEqual([])
    pass(1)
    expect(pausedTurn()).toEqual(['a65', 'a66', 'a67', 'a68', 'a69', 'a70', 'a71', 'a72'])
    pass(16)
    known('p', 1, 2)
    expect(turn()).toEqual(['p2', 'a73', 'a74', 'a75', 'a76', 'a77', 'a78', 'a79', 'a80'])
    expect(turn()).toEqual([])
    pass(50)
    expect(pausedTurn()).toHaveLength(32)
    expect(turn()).toHaveLength(32)
  })

  test('a known key does not delay the few requests of others', () => {
    const { strangers, known, turn, pass, scheduled } = queueOf(32)
    for (let call = 1; call <= 100; call += 1) {
      known('p', 1, call)
      strangers('a', 1, call)
      expect(turn()).toEqual([`p${call}`, `a${call}`])
      expect(scheduled()).toEqual({ soon: 0, later: 0 })
      pass(2)
    }
  })

  test('a known key does not keep strangers from beginning, however busy it is', () => {
    const { strangers, known, turn, pass } = queueOf(4)
    strangers('a', 200)
    known('p', 1000)
    let begun = 0
    for (let count = 0; count < 100; count += 1) {
      begun += turn().filter((name) => name.startsWith('a')).length
      pass(4)
    }
    expect(begun).toBe(200)
  })
})

test('one request that waited too long is refused for every four that begin', () => {
  const { known, turn, pass } = queueOf(8, { longQueue: 10 })
  known('p', 30)
  pass(101)
  expect(turn()).toEqual(['p30', 'p29', 'p28', 'p27', 'refuse p1', 'p26', 'p25', 'p24', 'p23', 'refuse p2'])
  expect(turn()).toEqual(['p22', 'p21', 'p20', 'p19', 'refuse p3', 'p18', 'p17', 'p16', 'p15', 'refuse p4'])
  // No longer a long queue: the oldest come first again.
  expect(turn()).toEqual(['p5', 'p6', 'p7', 'p8', 'p9', 'p10', 'p11', 'p12'])
})
