import { expect, it } from 'vitest'
import { createLargeBodies } from '../../../../src/features/calls/openai/large-bodies.ts'
import type { BodyPace } from '../../../../src/http/route.ts'

const mib = 1_048_576
const step = 65_536
const later = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Bodies that arrive, end and are parsed when the test says so. */
function setUp() {
  const bodies = createLargeBodies({ bodyLimitBytes: mib })
  const parsed: string[] = []

  /** A body that is sent. `isRead` says whether more of it would be read. */
  function send(projectId: string, bytes = mib) {
    const whole = Promise.withResolvers<Buffer>()
    let pace: BodyPace | undefined
    let room: Promise<void> | null = null
    const sent = {
      bytes: 0,
      hasBegun: () => pace !== undefined,
      isRead: () => pace !== undefined && room === null,
      /** Sends steps as long as they are read. */
      arrive(count: number) {
        for (let made = 0; made < count && sent.bytes < bytes && sent.isRead(); made += 1) {
          sent.bytes += step
          room = pace!.arrived(sent.bytes)
          room?.then(() => {
            room = null
          })
        }
      },
      end: () => whole.resolve(Buffer.alloc(0)),
      fail: () => whole.reject(new Error('too slow')),
      result: bodies.read(
        {
          header: () => ({ value: String(bytes) }),
          readBytes: (given) => {
            pace = given
            return whole.promise
          },
        },
        projectId,
        async () => {
          parsed.push(projectId)
          await whole.promise
        },
      ),
    }
    sent.result.catch(() => {})
    return sent
  }

  return { send, parsed }
}

/** The oldest is never kept waiting for the others. */
async function arriveWhole(one: { readonly bytes: number; arrive(count: number): void }): Promise<void> {
  for (let tries = 0; one.bytes < mib && tries < 16; tries += 1) {
    one.arrive(16)
    await later()
  }
}

it('a large body takes room as it arrives, so senders of a byte keep no one waiting', async () => {
  const { send } = setUp()
  const slow = Array.from({ length: 100 }, () => send('slow'))
  await later()
  expect(slow.every((one) => one.isRead())).toBe(true)
  const other = send('other')
  await later()
  other.arrive(16)
  expect(other.bytes).toBe(mib)
})

it('a project holds at most 8 MiB of large bodies, and its oldest is always read on', async () => {
  const { send } = setUp()
  const sent = Array.from({ length: 20 }, () => send('a'))
  await later()
  for (let round = 0; round < 16; round += 1) for (const one of sent) one.arrive(1)
  expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(8 * mib)
  const [oldest, ...others] = sent
  expect(oldest!.bytes).toBe(mib)
  expect(others.some((one) => one.bytes === mib)).toBe(false)
  for (const one of sent) {
    await arriveWhole(one)
    one.end()
    await one.result
  }
  expect(sent.map(({ bytes }) => bytes)).toEqual(sent.map(() => mib))
})

it('all projects together hold at most 64 MiB of large bodies, and none stops for ever', async () => {
  const { send } = setUp()
  const sent = Array.from({ length: 100 }, (_, index) => send(`project ${index % 20}`))
  await later()
  for (let round = 0; round < 16; round += 1) for (const one of sent) one.arrive(1)
  expect(sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(64 * mib)
  for (const one of sent) {
    await arriveWhole(one)
    one.end()
    await one.result
  }
  expect(sent.map(({ bytes }) => bytes)).toEqual(sent.map(() => mib))
})

it('8 large bodies of a project wait to begin, and further ones are refused', async () => {
  const { send } = setUp()
  const sent = Array.from({ length: 112 }, () => send('a'))
  const oldest = sent[0]!
  await later()
  const waiting = Array.from({ length: 9 }, () => send('a'))
  await later()
  expect(waiting.map((one) => one.hasBegun())).toEqual([true, ...waiting.slice(1).map(() => false)])
  const eighth = send('a')
  await expect(send('a').result).rejects.toMatchObject({ code: 'PROVIDER_CAPACITY_EXHAUSTED', retryAfterSeconds: 1 })
  await later()
  expect(send('other').hasBegun()).toBe(false)
  oldest.fail()
  sent[1]!.fail()
  await expect(oldest.result).rejects.toThrow('too slow')
  await later()
  expect([waiting[1]!.hasBegun(), eighth.hasBegun()]).toEqual([true, false])
})

it('one large body is parsed in each turn of the event loop, and projects take turns', async () => {
  const { send, parsed } = setUp()
  const sent = ['a', 'a', 'a', 'b'].map((projectId) => send(projectId))
  await later()
  for (const one of sent) one.end()
  const seen: number[] = []
  while (parsed.length < 4) {
    await later()
    seen.push(parsed.length)
  }
  expect(parsed).toEqual(['a', 'b', 'a', 'a'])
  expect(seen.every((count, index) => count - (seen[index - 1] ?? 0) <= 1)).toBe(true)
})
