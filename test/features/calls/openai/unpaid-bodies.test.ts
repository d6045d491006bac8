import { expect, it } from 'vitest'
import { createUnpaidBodies } from '../../../../src/features/calls/openai/unpaid-bodies.ts'
import type { Call } from '../../../../src/http/route.ts'
import type { Engine } from '../../../../src/storage/engine.ts'

it('a large body of a client that was asked to repeat a call is read, and a small one costs no look at the balance', async () => {
  let reads = 0
  let isAwaited = true
  const refuseUnpaid = createUnpaidBodies({
    engine: {
      async read() {
        reads += 1
      },
    } as unknown as Engine,
    relay: { refuse: () => Promise.reject(new Error('refused')) },
    deliveries: { isSomeAwaited: () => isAwaited },
  })
  const check = (bytes: number) => {
    const header = (name: string) => (name === 'content-length' ? { value: String(bytes) } : ('absent' as const))
    const call = { header, requester: { address: '' } } as unknown as Call
    return refuseUnpaid(call, { keyId: '', projectId: '', scopes: [], expiresAt: null, allowed: null })
  }
  await check(100_000)
  isAwaited = false
  await check(65_536)
  expect(reads).toBe(0)
  await expect(check(65_537)).rejects.toThrow('refused')
  expect(reads).toBe(1)
})
