import { describe, expect, onTestFinished, test } from 'vitest'
import { createHttpMedia } from '../../src/features/calls/media/providers/http.ts'
import { createDenialLog, type Denial } from '../../src/providers/denials.ts'
import { createModel } from '../../src/providers/models/create-model.ts'
import { createHttpShop } from '../../src/providers/shopping/http.ts'
import { httpModelSettings } from '../../testkit/providers/protocols.ts'
import { behaves, startUpstream } from '../../testkit/providers/upstream.ts'

describe('a provider that denies access', () => {
  test('a provider that denies access is reported for 401 and 403 alone, by models, shops and media', async () => {
    const upstream = await startUpstream()
    const denied: Denial[] = []
    const hooks = { onDenied: (denial: Denial) => void denied.push(denial) }
    const base = { baseUrl: upstream.url, timeoutMs: 5000, maxConcurrent: 8 }
    const breaker = { failures: 100, coolSeconds: 1 }
    const model = createModel(httpModelSettings(upstream.url, { breaker }), () => 'key', hooks)
    const shop = createHttpShop('shop_a', { ...base, linkHosts: [], disabled: false }, () => undefined, hooks)
    const media = createHttpMedia({ ...base, adapter: 'http', maxPromptChars: 100, breaker }, () => undefined, hooks)
    onTestFinished(async () => {
      await Promise.all([model.close(), shop.close(), media.close()])
      await upstream.close()
    })
    const unused = { prompt: 'a lake', seconds: 2, size: '480x270', createdAt: 0, cancelRequestedAt: null } as const
    const job = { ...unused, id: 'job_1', reference: 'ref_1', projectId: 'prj_1' }
    const body = { messages: [{ role: 'user' as const, content: 'hello' }] }
    for (const status of [401, 403, 400, 404, 429, 500]) {
      upstream.program(behaves.respond(status, {}))
      await model.complete({ model: 'fast', body, projectId: 'prj_1', requestId: `req_${status}` })
      await shop.links(['p-1'], 'prj_1', `req_${status}`)
      await media.read(job)
    }
    expect(denied.map(({ status, requestId }) => [status, requestId])).toEqual(
      [401, 403].flatMap((status) => [
        [status, `req_${status}`],
        [status, `req_${status}`],
        [status, undefined],
      ]),
    )
  })

  test('a provider that denies access is warned about once a minute, with the number of denied calls', () => {
    let now = 0
    const lines: object[] = []
    const denials = createDenialLog({ warn: (fields) => void lines.push(fields) }, () => now)
    const [a, b] = [denials('model/a'), denials('shop/b')]
    a({ status: 401, requestId: 'req_1' })
    for (let call = 0; call < 5; call++) a({ status: 401 })
    b({ status: 403 })
    now += 60_000
    a({ status: 403 })
    expect(lines).toEqual([
      { provider: 'model/a', status: 401, calls: 1, requestId: 'req_1' },
      { provider: 'shop/b', status: 403, calls: 1 },
      { provider: 'model/a', status: 403, calls: 6 },
    ])
  })
})
