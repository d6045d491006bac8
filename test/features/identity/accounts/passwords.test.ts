import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createPasswords, defaultCost } from '../../../../src/features/identity/accounts/passwords.ts'

const cheap = { memoryKib: 64, passes: 1, parallelism: 1 }
const password = 'correct horse battery staple'

const poolThreads = () =>
  readdirSync('/proc/self/task')
    .map(Number)
    .filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8') === 'libuv-worker\n')

describe('passwords', () => {
  it('passwords are hashed with argon2id, each with its own salt and its cost parameters', async () => {
    const { hash } = createPasswords({ cost: cheap })
    const [one, two] = [await hash(password), await hash(password)]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=64,t=1,p=1\$[\w-]{22}\$[\w-]{43}$/)
    expect(one).not.toBe(two)
  })

  it('passwords use the recommended cost by default', () => {
    expect(defaultCost).toEqual({ memoryKib: 19_456, passes: 2, parallelism: 1 })
  })

  it('passwords are verified, and the result says when the cost has changed since', async () => {
    const digest = await createPasswords({ cost: cheap }).hash(password)
    const today = createPasswords({ cost: { ...cheap, passes: 2 } })
    expect(await createPasswords({ cost: cheap }).verify(password, digest)).toEqual({
      isRight: true,
      isOutdated: false,
    })
    expect(await today.verify(password, digest)).toEqual({ isRight: true, isOutdated: true })
    expect(await today.verify('another password', digest)).toMatchObject({ isRight: false })
  })

  it('passwords match however their accents are composed', async () => {
    const passwords = createPasswords({ cost: cheap })
    const digest = await passwords.hash('caf\u00e9 and more letters')
    expect(await passwords.verify('cafe\u0301 and more letters', digest)).toMatchObject({ isRight: true })
  })

  it('passwords of unknown accounts never match, and cost as much as a real verification', async () => {
    const passwords = createPasswords({ cost: cheap })
    expect(await passwords.verify(password, undefined)).toEqual({ isRight: false, isOutdated: false })
  })

  it('passwords with a damaged digest are an error', async () => {
    await expect(createPasswords({ cost: cheap }).verify(password, '$argon2id$v=19$m=1$a$b')).rejects.toMatchObject({
      code: 'PASSWORD_STATE_INVALID',
    })
  })

  it('passwords are refused when too many already wait', async () => {
    const passwords = createPasswords({ cost: cheap, maxRunning: 1, maxQueued: 2 })
    const work = Array.from({ length: 4 }, () => passwords.hash(password))
    const results = await Promise.allSettled(work)
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    expect(results[3]).toMatchObject({ reason: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } })
  })

  it('passwords are hashed with a lower priority than the event loop has, where threads have one of their own', async () => {
    await createPasswords({ cost: cheap }).hash(password)
    const isLinux = process.platform === 'linux'
    const pool = isLinux ? poolThreads() : [process.pid]
    expect(new Set(pool.map((thread) => getPriority(thread)))).toEqual(
      new Set([isLinux ? Math.min(getPriority() + 10, constants.priority.PRIORITY_LOW) : getPriority()]),
    )
  })
})
