import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAdmissionQueue, type QueuedRequest } from '../../src/http/transport/admission-queue.ts'

interface Numbered extends QueuedRequest {
  readonly number: number
}

function queueOf(perTurn: number, now = () => 0) {
  const events: string[][] = [[]]
  const note = (what: string) => (request: Numbered) => void events.at(-1)!.push(`${what} ${request.number}`)
  const queue = createAdmissionQueue<Numbered>({
    perTurn,
    shedAfterMs: 100,
    longQueue: 4,
    now,
    begin: note('begin'),
    shed: note('turn away'),
    abandon: note('abandon'),
  })
  const passTurn = async () => {
    await nextTurn()
    events.push([])
  }
  return { queue, events, passTurn }
}

const requests = (...numbers: number[]) =>
  numbers.map((number): Numbered => ({ number, startedAtMs: 0, isAbandoned: false }))

test('requests that arrive together start in the next turns, in order and never more than allowed at once', async () => {
  const { queue, events, passTurn } = queueOf(2)
  for (const request of requests(1, 2, 3, 4, 5)) queue.add(request)
  expect(queue.length()).toBe(5)
  expect(events).toEqual([[]])
  for (let turn = 0; turn < 4; turn += 1) await passTurn()
  expect(events).toEqual([['begin 1', 'begin 2'], ['begin 3', 'begin 4'], ['begin 5'], [], []])
  for (const request of requests(6)) queue.add(request)
  await passTurn()
  expect(events.at(-2)).toEqual(['begin 6'])
})

test('in a long queue, requests that waited too long are shed, four in the time of one', async () => {
  let now = 0
  const { queue, events, passTurn } = queueOf(1, () => now)
  for (const request of requests(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)) queue.add(request)
  now = 101
  await passTurn()
  expect(events[0]).toEqual(['turn away 1', 'turn away 2', 'turn away 3', 'turn away 4'])
  for (let turn = 0; turn < 2; turn += 1) await passTurn()
  // The rest is no longer a long queue: it is served, however long the process was paused.
  expect(events.slice(1, 3)).toEqual([['turn away 5', 'turn away 6', 'begin 7'], ['begin 8']])
})

test('a request whose client has disconnected never starts', async () => {
  const { queue, events, passTurn } = queueOf(1)
  for (const request of requests(1, 2)) queue.add({ ...request, isAbandoned: request.number === 1 })
  await passTurn()
  expect(events[0]).toEqual(['abandon 1', 'begin 2'])
})
