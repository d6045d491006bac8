import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { LiveOutputs, ResponseOutput } from '../../src/http/transport/live-output.ts'

/** A client of a live body, who reads when the test says so. */
function openOutput(outputs: LiveOutputs) {
  let written: (() => void) | null = null
  const socket = {
    destroyed: false,
    _handle: { writeQueueSize: 0 },
    destroy() {
      socket.destroyed = true
      queueMicrotask(() => response.emit('close'))
    },
  }
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    write(_: string, onWritten: () => void) {
      written = onWritten
    },
  })
  const output = new ResponseOutput(response as unknown as ServerResponse, socket as unknown as Socket, outputs)
  return {
    write: (bytes: number) => output.write('x'.repeat(bytes)),
    /** Takes the write in progress. */
    read: () => written?.(),
    close: () => void response.emit('close'),
    isOpen: () => !socket.destroyed,
  }
}

it('live outputs drop the reader that is furthest behind once too much waits for all of them', () => {
  const outputs = new LiveOutputs(1000)
  const [fast, slow, slower] = [openOutput(outputs), openOutput(outputs), openOutput(outputs)]
  fast.write(100)
  slow.write(300)
  slower.write(600)
  expect([fast, slow, slower].map((one) => one.isOpen())).toEqual([true, true, true])
  fast.write(1)
  expect([fast, slow, slower].map((one) => one.isOpen())).toEqual([true, true, false])
  // What was dropped, read or left no longer counts.
  fast.write(599)
  fast.read()
  fast.read()
  slow.write(600)
  expect(slow.isOpen()).toBe(true)
  slow.close()
  fast.write(1000)
  expect(fast.isOpen()).toBe(true)
  fast.write(1)
  expect(fast.isOpen()).toBe(false)
})
