import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Refusal } from '../contract/errors.ts'
import { createHashQueue, type HashTurn } from './hash-queue.ts'

/** Argon2id cost. After a change, each stored digest is upgraded at its owner's next login. */
export interface PasswordCost {
  readonly memoryKib: number
  readonly passes: number
  readonly parallelism: number
}

export const defaultCost: PasswordCost = { memoryKib: 19_456, passes: 2, parallelism: 1 }

export interface Passwords {
  readonly hash: (password: string) => Promise<string>
  /** Does the same work with or without a digest, so that timing reveals nothing. */
  readonly verify: (
    password: string,
    digest: string | undefined,
    turn?: HashTurn,
  ) => Promise<{ isRight: boolean; isOutdated: boolean }>
  /** Keeps a place in the queue while `work` runs, which leads to hashing. Refuses if none gets free, before `work` costs anything. */
  readonly withPlace: <T>(work: () => Promise<T>) => Promise<T>
}

interface ParsedDigest extends PasswordCost {
  readonly salt: Buffer
  readonly tag: Buffer
}

const tagLength = 32
const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** A flood must leave a processor to the event loop and the store. */
const defaultRunning = Math.min(2, Math.max(1, availableParallelism() - 1))

/** Hashes on the thread pool. At most `maxQueued` requests wait; further ones are refused. */
export function createPasswords({
  cost = defaultCost,
  maxRunning = defaultRunning,
  maxQueued = 256,
  placeWaitMs = 1000,
} = {}): Passwords {
  const { enqueue, withPlace } = createHashQueue({ maxRunning, maxQueued, placeWaitMs })
  const deriveTag = (password: string, parameters: Omit<ParsedDigest, 'tag'>, turn?: HashTurn) => {
    const { memoryKib: memory, passes, parallelism, salt: nonce } = parameters
    const message = password.normalize('NFC')
    return enqueue(() => derive('argon2id', { message, nonce, parallelism, tagLength, memory, passes }), turn)
  }
  const decoy: ParsedDigest = { ...cost, salt: randomBytes(16), tag: randomBytes(tagLength) }

  return {
    withPlace,
    async hash(password) {
      const salt = randomBytes(16)
      return format({ ...cost, salt, tag: await deriveTag(password, { ...cost, salt }) })
    },
    async verify(password, digest, turn) {
      const stored = digest === undefined ? decoy : parse(digest)
      const isMatch = timingSafeEqual(await deriveTag(password, stored, turn), stored.tag)
      const isOutdated =
        stored.memoryKib !== cost.memoryKib || stored.passes !== cost.passes || stored.parallelism !== cost.parallelism
      return { isRight: isMatch && digest !== undefined, isOutdated }
    },
  }
}

const format = ({ memoryKib, passes, parallelism, salt, tag }: ParsedDigest) =>
  `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${salt.toString('base64url')}$${tag.toString('base64url')}`

const digestPattern = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$([\w-]{22})\$([\w-]{43})$/

function parse(digest: string): ParsedDigest {
  const match = digestPattern.exec(digest)
  if (!match) throw new Refusal('PASSWORD_STATE_INVALID')
  const [, memoryKib, passes, parallelism, salt, tag] = match
  return {
    memoryKib: Number(memoryKib),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt!, 'base64url'),
    tag: Buffer.from(tag!, 'base64url'),
  }
}
