import { expect, it } from 'vitest'
import { createLargeBodies } from '../../../../src/features/calls/openai/large-bodies.ts'

const callOf = (bytes: number) => ({ header: () => ({ value: String(bytes) }) })

/** Starts reads that end when the test says so. */
function setUp() {
  const bodies = createLargeBodies()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const read = (projectId: string, bytes = 1_000_000) =>
    bodies.read(callOf(bytes), projectId, () => {
      begun.push(projectId)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return { begun, ends, read, settle }
}

it('large bodies are read 8 at a time, 4 of one project, and small ones at once', async () => {
  const { begun, ends, read, settle } = setUp()
  for (let i = 0; i < 6; i += 1) void read('a')
  for (let i = 0; i < 5; i += 1) void read('b')
  await settle()
  expect(begun).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'])
  void read('a', 65_536)
  await settle()
  expect(begun).toHaveLength(9)
  ends[4]!()
  await settle()
  expect(begun.at(-1)).toBe('b')
  ends[0]!()
  await settle()
  expect(begun.at(-1)).toBe('a')
})

it('a large body is refused when too many wait, and its turn comes after a failed one', async () => {
  const { read, settle } = setUp()
  for (let i = 0; i < 4 + 64; i += 1) void read('a')
  await settle()
  await expect(read('a')).rejects.toMatchObject({ code: 'PROVIDER_CAPACITY_EXHAUSTED', retryAfterSeconds: 1 })
  const bodies = createLargeBodies()
  const fail = () => Promise.reject(new Error('gone'))
  for (let i = 0; i < 20; i += 1) await expect(bodies.read(callOf(1e6), 'a', fail)).rejects.toThrow('gone')
})
