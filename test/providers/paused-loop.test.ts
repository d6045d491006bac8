import { afterEach, beforeEach, expect, it } from 'vitest'
import { createHttpCaller } from '../../src/providers/upstream.ts'
import { blockLoop } from '../../testkit/http/block-loop.ts'
import { behaves, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'

const timeoutMs = 300

let upstream: Upstream
let caller: ReturnType<typeof createHttpCaller>
beforeEach(async () => {
  upstream = await startUpstream()
  caller = createHttpCaller({ baseUrl: upstream.url, maxConcurrent: 4, timeoutMs })
})
afterEach(async () => {
  await caller.close()
  await upstream.close()
})

const post = () => caller.exchangeJson({ projectId: 'prj_1', method: 'POST', path: '/', body: {} })

it('a response that arrived while the event loop was paused past the deadline is accepted', async () => {
  upstream.program((wire, call) => {
    behaves.respond(200, { done: true })(wire, call)
    blockLoop(timeoutMs * 2)
  })
  expect(await post()).toEqual({ event: 'answered', value: { done: true } })
})

it('a call without a response still ends at its deadline after a pause', async () => {
  upstream.program(() => blockLoop(timeoutMs * 2))
  expect(await post()).toEqual({ event: 'timedOut' })
})

it('a call whose time ran out while it was connecting is not sent any more', async () => {
  const answer = post()
  blockLoop(timeoutMs * 2)
  expect(await answer).toMatchObject({ event: 'unreachable' })
  expect(upstream.calls).toEqual([])
})
