import { beforeEach, describe, expect, it } from 'vitest'
import { CircuitBreaker } from '../../src/providers/circuit-breaker.ts'
import { confirmed, failureOf, type Outcome } from '../../src/providers/outcome.ts'

const failures = 5
const down = failureOf('model', 'timedOut')

describe('a breaker that many projects share', () => {
  let now: number
  let breaker: CircuitBreaker
  beforeEach(() => {
    now = 1_000_000
    breaker = new CircuitBreaker({ failures, coolSeconds: 30 }, () => now)
  })
  const call = async (projectId: string, outcome: Outcome<string>) => {
    const result = await breaker.run(projectId, async () => outcome)
    return result.kind === 'unavailable' ? result.code : result.kind
  }
  const fails = (projectId: string) => call(projectId, down)
  const works = (projectId: string) => call(projectId, confirmed('x'))

  it('a breaker that many projects share is not opened for all by two projects, however many calls of theirs fail at once', async () => {
    let fail: (outcome: Outcome<string>) => void = () => {}
    const hanging = new Promise<Outcome<string>>((resolve) => {
      fail = resolve
    })
    const theirs = Array.from({ length: 200 }, (_, index) => breaker.run(index % 2 ? 'a' : 'b', () => hanging))
    fail(down)
    await Promise.all(theirs)
    expect([await fails('a'), await fails('b')]).toEqual(['PROVIDER_CIRCUIT_OPEN', 'PROVIDER_CIRCUIT_OPEN'])
    expect(await works('c')).toBe('confirmed')
  })

  it('a breaker that many projects share is not opened for all by two projects that fail between the calls of others', async () => {
    for (let round = 0; round < 50; round += 1) {
      for (let time = 0; time < failures * 2; time += 1) await fails(time % 2 ? 'a' : 'b')
      expect(await works('c')).toBe('confirmed')
    }
  })

  it('a breaker that many projects share opens for the only project there is, probes, and closes', async () => {
    for (let time = 0; time < failures; time += 1) expect(await fails('a')).toBe('uncertain')
    expect([await works('a'), breaker.state]).toEqual(['PROVIDER_CIRCUIT_OPEN', 'open'])
    now += 30_000
    expect(await fails('a')).toBe('uncertain')
    expect(await works('a')).toBe('PROVIDER_CIRCUIT_OPEN')
    now += 30_000
    expect([await works('a'), breaker.state]).toEqual(['confirmed', 'closed'])
  })

  it('a breaker that many projects share opens for all after the failures of three projects, and closes at the first response', async () => {
    for (const projectId of ['a', 'b', 'a', 'b', 'c']) expect(await fails(projectId)).toBe('uncertain')
    expect(await works('d')).toBe('PROVIDER_CIRCUIT_OPEN')
    now += 30_000
    expect([await works('d'), breaker.state]).toEqual(['confirmed', 'closed'])
    expect(await works('a')).toBe('confirmed')
  })
})
