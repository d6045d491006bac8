import type { IncomingMessage } from 'node:http'
import { afterPendingInput } from '../../base/after-pending-input.ts'
import { after } from '../../base/timers.ts'
import type { BodyPace } from '../route.ts'

/** The slowest that a body may arrive while it is read at a pace. */
const slowestBytesPerSecond = 16_384
const speedOverMs = 5000

/** Reads a body that is still arriving. */
export function readArriving(request: IncomingMessage, pace: BodyPace | undefined, onTooSlow: () => void) {
  const { promise: bytes, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const speed = pace && watchSpeed(() => size, onTooSlow)

  function add(chunk: Buffer): void {
    chunks.push(chunk)
    size += chunk.length
    const room = pace?.arrived(size)
    if (!room) return
    request.pause()
    speed?.pause()
    void room.then(() => {
      speed?.resume()
      request.resume()
    })
  }

  function end(): void {
    speed?.stop()
    resolve(Buffer.concat(chunks))
  }

  function fail(error: Error): void {
    speed?.stop()
    // What still arrives is read and dropped.
    request.off('data', add).off('end', end).resume()
    reject(error)
  }

  request.on('data', add).on('end', end)
  return { bytes, fail }
}

/** Calls `onTooSlow` once too little has arrived in a while. A while in which we did not read does not count. */
function watchSpeed(received: () => number, onTooSlow: () => void) {
  let before = 0
  let isPaused = false
  let wasPaused = false
  let isOver = false
  let timer = start()

  function start() {
    wasPaused = isPaused
    before = received()
    return after(speedOverMs, () => afterPendingInput(check))
  }

  function check(): void {
    if (isOver) return
    const isSlow = received() - before < (slowestBytesPerSecond * speedOverMs) / 1000
    if (isSlow && !wasPaused) onTooSlow()
    else timer = start()
  }

  return {
    pause(): void {
      isPaused = true
      wasPaused = true
    },
    resume(): void {
      isPaused = false
    },
    stop(): void {
      isOver = true
      timer.cancel()
    },
  }
}
