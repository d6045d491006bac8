import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { LiveBody } from '../../src/http/live-body.ts'
import type { Observation } from '../../src/http/request-log.ts'
import type { Route } from '../../src/http/route.ts'
import { LiveOutputs, ResponseOutput } from '../../src/http/transport/live-output.ts'
import { host, ping, startFixture } from './fixture.ts'

/** A client of a live body, who reads when the test says so. */
function openOutput(outputs: LiveOutputs, hasLeft = false) {
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
    destroyed: hasLeft,
    write(_: string, onWritten: () => void) {
      written = onWritten
    },
  })
  const output = new ResponseOutput(response as unknown as ServerResponse, socket as unknown as Socket, outputs)
  return {
    write: (bytes: number) => output.write('x'.repeat(bytes), bytes),
    /** Takes the write in progress. */
    async read() {
      await Promise.resolve()
      written?.()
    },
    close: () => void response.emit('close'),
    isOpen: () => !socket.destroyed,
  }
}

it('a live body is observed with the time to its beginning as well', async () => {
  const live: Route = {
    ...ping,
    handle: () => ({
      status: 200,
      body: new LiveBody(async (output) => {
        output.write('x', 1)
        return null
      }),
    }),
  }
  const { port, server, observations } = await startFixture({ routes: [live] })
  const response = await request(`http://127.0.0.1:${port}${ping.path}`, { headers: { host } })
  expect(await response.body.text()).toBe('x')
  await server.drain(1000)
  const [{ begunMs, durationMs }] = observations as [Required<Observation>]
  expect(begunMs).toBeLessThanOrEqual(durationMs)
})

it('live outputs drop the reader that is furthest behind once too much waits for all of them', async () => {
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
  await fast.read()
  slow.write(600)
  expect(slow.isOpen()).toBe(true)
  slow.close()
  fast.write(1000)
  expect(fast.isOpen()).toBe(true)
  fast.write(1)
  expect(fast.isOpen()).toBe(false)
})

it('the output of a client that has left before its first byte is not kept', () => {
  const kept = new Set<ResponseOutput>()
  class Watched extends LiveOutputs {
    override add(output: ResponseOutput) {
      kept.add(output)
    }
    override remove(output: ResponseOutput) {
      kept.delete(output)
    }
  }
  const outputs = new Watched()
  openOutput(outputs, true).write(100)
  const open = openOutput(outputs)
  expect(kept.size).toBe(1)
  open.close()
  expect(kept.size).toBe(0)
})
