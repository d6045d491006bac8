import { randomByte, randomInt } from './randomness.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Unbiased: bytes from 248 on, the largest multiple of 62, are dropped. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < 248) text += alphabet[byte % 62]
  }
  return text
}

export type IdPrefix =
  | 'acc'
  | 'prj'
  | 'gvc'
  | 'key'
  | 'ord'
  | 'lot'
  | 'chg'
  | 'ses'
  | 'ins'
  | 'req'
  | 'mov'
  | 'apv'
  | 'aud'
  | 'msg'
  | 'job'
  | 'run'
  | 'evt'
  | 'whk'
  | 'dlv'
  | 'inb'
  | 'pay'
  | 'rfd'
  | 'unc'
  | 'psk'
  | 'inc'

/** An unguessable identifier. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${randomBase62(22)}`

const maxStepBackMs = 10_000
let lastAt = 0
let counter = 0

/** Forgets the identifiers created so far; for the simulation. */
export function resetIds(): void {
  lastAt = 0
  counter = 0
}

/**
 * An identifier that sorts by creation time, so that new rows go to the end of an index and old ones can be found by age.
 * Order holds within a millisecond of one process, and when the clock steps back by a few seconds. A larger step is followed,
 * because pruning by age depends on the time.
 */
export function newSortableId(prefix: IdPrefix, now: number): string {
  const at = lastAt - now > maxStepBackMs ? now : Math.max(now, lastAt)
  counter = at === lastAt ? counter + 1 : randomInt(62 ** 2)
  lastAt = at
  return `${prefix}_${timeDigits(at)}${base62(counter, 4)}${randomBase62(8)}`
}

let digitsAt = Number.NaN
let digits = ''

/** Most identifiers are made within a millisecond of the one before. */
function timeDigits(at: number): string {
  if (at !== digitsAt) {
    digitsAt = at
    digits = base62(at, 8)
  }
  return digits
}

function base62(value: number, width: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text
  return text.padStart(width, '0')
}

/** When a sortable identifier was created; undefined for one that does not say. */
export function timeOfSortableId(id: string): number | undefined {
  const digits = /^[a-z]{3}_([0-9A-Za-z]{8})[0-9A-Za-z]{12}$/.exec(id)?.[1]
  return digits === undefined ? undefined : [...digits].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0)
}

/** The first and the last time that a sortable identifier with this beginning can have. */
export function timesOfIdStart(start: string): { readonly fromAt: number; readonly toAt: number } {
  const digits = start.slice('chg_'.length, 'chg_'.length + 8)
  const timeWith = (digit: string) => timeOfSortableId(`chg_${digits.padEnd(8, digit)}${'0'.repeat(12)}`) ?? 0
  return { fromAt: timeWith('0'), toAt: timeWith('z') }
}

/** The lower bound of the sortable identifiers created at or after `at`. */
export const sortableIdFloor = (prefix: IdPrefix, at: number): string => `${prefix}_${base62(at, 8)}`
