import { expect, it } from 'vitest'
import { createOpenStreams, maxStreamsPerKey } from '../../../../src/features/calls/openai/open-streams.ts'

it('a key has at most 64 open streams, which count until they have ended and were delivered or lost', () => {
  const streams = createOpenStreams()
  let deliver = () => {}
  const call = {
    watchDelivery(report: (isDelivered: boolean) => void) {
      deliver = () => report(false)
    },
  }
  const first = streams.enter(call, 'key_1')
  const deliverFirst = deliver
  for (let i = 1; i < maxStreamsPerKey; i += 1) streams.enter(call, 'key_1')
  const next = () => streams.enter(call, 'key_1')
  const refused = expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
  expect(next).toThrow(refused)
  expect(() => streams.enter(call, 'key_2')).not.toThrow()
  first.ended()
  expect(streams.running()).toBe(64)
  expect(next).toThrow(refused)
  deliverFirst()
  expect(next).not.toThrow()
  expect(next).toThrow(refused)
})
