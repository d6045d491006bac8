import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { afterPendingInput } from '../../src/base/after-pending-input.ts'
import { systemTimers, useTimers } from '../../src/base/timers.ts'
import { readArriving } from '../../src/http/transport/arriving-body.ts'

const windows: (() => void)[] = []
beforeEach(() => {
  windows.length = 0
  useTimers({
    ...systemTimers,
    after(_, work) {
      windows.push(work)
      return { cancel: () => {}, unref: () => ({}) as never }
    },
  })
})
afterEach(() => useTimers(systemTimers))

/** Ends a window of the speed, and reads what has arrived. */
async function endWindow(): Promise<void> {
  windows.shift()!()
  await new Promise<void>(afterPendingInput)
}

function setUp() {
  const request = new PassThrough({ highWaterMark: 1_000_000 })
  let room: PromiseWithResolvers<void> | null = null
  let slow = 0
  const reading = readArriving(
    request as unknown as IncomingMessage,
    { arrived: () => room?.promise ?? null },
    () => (slow += 1),
  )
  return {
    ...reading,
    send: (bytes: number) => request.write(Buffer.alloc(bytes)),
    end: () => request.end(),
    hold: () => {
      room = Promise.withResolvers()
    },
    goOn: () => {
      room!.resolve()
      room = null
    },
    slow: () => slow,
  }
}

test('a body that brings 16 KiB a second is read to its end', async () => {
  const body = setUp()
  for (let window = 0; window < 3; window += 1) {
    body.send(81_920)
    await endWindow()
  }
  body.end()
  expect([(await body.bytes).length, body.slow()]).toEqual([3 * 81_920, 0])
})

test('a body that brings less than 16 KiB a second is too slow, at its beginning and later', async () => {
  const first = setUp()
  first.send(81_919)
  await endWindow()
  expect(first.slow()).toBe(1)
  const later = setUp()
  later.send(500_000)
  await endWindow()
  expect(later.slow()).toBe(0)
  later.send(1)
  await endWindow()
  expect(later.slow()).toBe(1)
})

test('a body is not too slow while it is kept waiting', async () => {
  const body = setUp()
  body.hold()
  body.send(1)
  await endWindow()
  await endWindow()
  body.goOn()
  await endWindow()
  expect(body.slow()).toBe(0)
  await endWindow()
  expect(body.slow()).toBe(1)
})

test('a body that has failed is dropped while it arrives', async () => {
  const body = setUp()
  body.send(1)
  body.fail(new Error('gone'))
  body.send(100)
  await expect(body.bytes).rejects.toThrow('gone')
  await endWindow()
  expect(body.slow()).toBe(0)
})
