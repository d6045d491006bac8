import { randomFillSync } from 'node:crypto'

export interface Randomness {
  fill(bytes: Buffer): void
}

/** Unpredictable, so fit for secrets. */
export const systemRandomness: Randomness = { fill: (bytes) => void randomFillSync(bytes) }

let randomness = systemRandomness

/** A pool of random bytes: fetching them for each id took 7 % of the main thread under load. */
const pool = Buffer.alloc(4096)
let used = pool.length

/** Replaces the randomness of this thread; for the simulation. Bytes of the earlier one are not used any more. */
export function useRandomness(other: Randomness): void {
  randomness = other
  pool.fill(0)
  used = pool.length
}

export function randomByte(): number {
  if (used === pool.length) {
    randomness.fill(pool)
    used = 0
  }
  const byte = pool[used]!
  // Cleared, so that used bytes do not stay in memory.
  pool[used++] = 0
  return byte
}

export function randomBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  randomness.fill(bytes)
  return bytes
}

const drawn = 2 ** 48

/** At least 0 and less than `limit`. Unbiased: draws from the largest multiple of `limit` on are dropped. */
export function randomInt(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > drawn) throw new RangeError(`no random number below ${limit}`)
  const end = drawn - (drawn % limit)
  for (;;) {
    const value = draw()
    if (value < end) return value % limit
  }
}

function draw(): number {
  let value = 0
  for (let count = 0; count < 6; count++) value = value * 256 + randomByte()
  return value
}

export function randomUUID(): string {
  const bytes = randomBytes(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** At least 0 and less than 1; for jitter and sampling. */
export const randomShare = (): number => draw() / drawn
