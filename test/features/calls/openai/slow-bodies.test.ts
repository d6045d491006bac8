import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemTimers, useTimers } from '../../../../src/base/timers.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { OpenAiCaller } from '../../../../testkit/gateway/openai-caller.ts'
import { RawConnection } from '../../../../testkit/http/raw-http.ts'
import { engines } from '../../../../testkit/store/engines.ts'

/** Over which the speed of a large body is measured. */
const speedMs = 5000

describe.each(engines)('large bodies on %s', (engine) => {
  const windows: (() => void)[] = []
  let gateway: Gateway
  let payer: OpenAiCaller
  let unpaid: OpenAiCaller
  let others: OpenAiCaller

  beforeAll(async () => {
    useTimers({
      ...systemTimers,
      after(ms, work) {
        if (ms === speedMs) windows.push(work)
        return systemTimers.after(ms === speedMs ? 10 * speedMs : ms, work)
      },
    })
    const model = { adapter: 'local', models: ['local-small'], maxPromptChars: 200_000 }
    gateway = await startGateway({
      engine,
      // Longer than a test waits.
      file: { server: { bodyDeadlineMs: 600_000 }, models: { providers: { model_provider_a: model } } },
    })
    payer = await OpenAiCaller.join(gateway)
    unpaid = await OpenAiCaller.join(gateway, { amountFen: 0 })
    others = await OpenAiCaller.join(gateway, { amountFen: 0 })
  })
  afterAll(async () => {
    await gateway.stop()
    useTimers(systemTimers)
  })

  /** Asks whether to send a body, and sends its first byte. The server says so when it begins to read. */
  async function begin({ apiKey }: OpenAiCaller, headers: readonly string[] = [], bytes = 1_000_000) {
    const connection = await RawConnection.open({ port: gateway.app.public.port })
    const lines = [
      'POST /v1/chat/completions HTTP/1.1',
      'Host: localhost:8787',
      `Authorization: Bearer ${apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${bytes}`,
      'Expect: 100-continue',
      ...headers,
    ]
    connection.send(`${lines.join('\r\n')}\r\n\r\n{`)
    return { connection, response: (await connection.next())! }
  }

  const large = { model: 'local-small', messages: [{ role: 'user', content: 'x'.repeat(100_000) }] }

  it('large bodies of a byte a second, of two accounts without a credit, keep no one waiting', async () => {
    const crowd = await Promise.all(
      Array.from({ length: 48 }, (_, index) => begin(index % 2 ? unpaid : others, [`Idempotency-Key: slow ${index}`])),
    )
    expect(crowd.map(({ response }) => response.status)).toEqual(crowd.map(() => 100))
    expect((await payer.complete(large)).status).toBe(200)
    for (const { connection } of crowd) connection.reset()
  })

  it('large bodies are refused before they are read if their project cannot pay, but for repeats', async () => {
    const refused = await begin(unpaid)
    expect([refused.response.status, JSON.parse(refused.response.body).error]).toEqual([
      402,
      expect.objectContaining({ code: 'INSUFFICIENT_PAID_CREDITS', type: 'insufficient_quota' }),
    ])
    expect([...refused.response.headers].filter(([name]) => name.startsWith('limit-'))).toEqual([
      ['limit-source', 'credits'],
      ['limit-remaining', '0'],
    ])
    const asked = [begin(unpaid, ['Idempotency-Key: a']), begin(unpaid, ['X-Stainless-Retry-Count: 1']), begin(payer)]
    const small = begin(unpaid, [], 65_536)
    const read = await Promise.all([...asked, small])
    expect(read.map(({ response }) => response.status)).toEqual([100, 100, 100, 100])
    for (const { connection } of [refused, ...read]) connection.reset()
  })

  it('large bodies that arrive too slowly get 408, and their connections close', async () => {
    windows.length = 0
    const { connection } = await begin(payer)
    await expect.poll(() => windows.length).toBe(1)
    windows[0]!()
    const responses = await connection.rest()
    expect(responses.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([[408, 'close']])
    expect(JSON.parse(responses[0]!.body).error).toMatchObject({ code: 'REQUEST_TIMEOUT' })
  })
})
