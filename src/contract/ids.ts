import { randomFillSync, randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random bytes in stock: fetching them one id at a time was 7 % of the main thread's work under load. */
const stock = Buffer.alloc(4096)
let used = stock.length

function randomByte(): number {
  if (used === stock.length) {
    randomFillSync(stock)
    used = 0
  }
  const byte = stock[used]!
  // What was handed out is not left lying in memory.
  stock[used++] = 0
  return byte
}

/** Letters and digits without bias: bytes past the last whole multiple of 62 are dropped. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < 248) text += alphabet[byte % 62]
  }
  return text
}

export type IdPrefix = 'acc' | 'prj' | 'gvc' | 'key' | 'ord' | 'lot' | 'chg' | 'ses' | 'ins' | 'req'

/** An identifier that nobody can guess. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${randomBase62(22)}`

const longestStepBackMs = 10_000
let lastAt = 0
let counter = 0

/**
 * An identifier that sorts by the time it was made, so that new rows land at the end of an index and old ones are found by
 * their age. Two made in one millisecond by one process keep their order too, also when the clock is set back a
 * little; one that is set back further is believed, for what is pruned by age hangs on it.
 */
export function newSortableId(prefix: IdPrefix, now: number): string {
  const at = lastAt - now > longestStepBackMs ? now : Math.max(now, lastAt)
  counter = at === lastAt ? counter + 1 : randomInt(62 ** 2)
  lastAt = at
  return `${prefix}_${base62(at, 8)}${base62(counter, 4)}${randomBase62(8)}`
}

function base62(value: number, width: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text
  return text.padStart(width, '0')
}

/** The oldest sortable identifier of a moment: the boundary of a range by time. */
export const sortableIdFloor = (prefix: IdPrefix, at: number): string => `${prefix}_${base62(at, 8)}`
