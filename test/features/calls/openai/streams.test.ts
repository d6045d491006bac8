import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { OpenAiCaller, OpenStream, readSlowly, streamed } from '../../../../testkit/gateway/openai-caller.ts'
import {
  done,
  goodContent,
  goodEvents,
  goodStream,
  part,
  steppedStream,
  streams,
} from '../../../../testkit/providers/streams.ts'
import { startUpstream, type Upstream } from '../../../../testkit/providers/upstream.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

const messages = [{ role: 'user', content: 'Name a mountain.' }]
const body = { model: 'fast', messages }

describe.each(httpEngines)('the callers of a stream on %s', (engine) => {
  let upstream: Upstream
  let gateway: Gateway
  let caller: OpenAiCaller

  beforeAll(async () => {
    upstream = await startUpstream()
    const model = { adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { fast: 'upstream-fast' } }
    gateway = await startGateway({
      engine,
      file: {
        models: { providers: { model_provider_b: { ...model, maxConcurrent: 200, breaker: { failures: 1000 } } } },
      },
    })
  })
  beforeEach(async () => {
    caller = await OpenAiCaller.join(gateway)
  })
  afterAll(async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    expect((await reconcile(store)).differences).toEqual([])
    await store.close()
    await gateway.stop()
    await upstream.close()
  })

  const spent = async () => {
    const { available, reserved } = await caller.credits()
    return { available: 10_000 - available, reserved }
  }
  const settled = (calls: number) => expect.poll(spent).toEqual({ available: calls * 3, reserved: 0 })
  /** A repeat as `openai` sends it. */
  const repeat = (count = 1, more: object = {}) =>
    caller.complete({ ...body, ...more }, { 'x-stainless-retry-count': String(count) })

  it('the callers of a stream get each part when it arrives, and the end only after the charge is settled', async () => {
    const stepped = steppedStream()
    upstream.program(stepped.behaviour)
    const opening = OpenStream.open(caller, body)
    await stepped.started
    stepped.send(part({ content: 'Mount ' }))
    const stream = await opening
    expect(stream.status).toBe(200)
    expect(stream.headers).toMatchObject({ 'x-credits-reserved': '3', 'x-charge-id': expect.stringMatching(/^chg_/) })
    await stream.until('Mount ')
    expect(await spent()).toEqual({ available: 3, reserved: 3 })
    expect(stream.text).not.toContain('"finish_reason":"')
    stepped.send(part({ content: '!' }, 'stop') + done)
    stepped.finish()
    const text = await stream.rest()
    expect(await spent()).toEqual({ available: 3, reserved: 0 })
    expect(streamed({ text })).toMatchObject({ content: 'Mount !', isDone: true })
    expect(text).not.toContain('upstream')
  })

  it('the callers of a stream pay if they leave, at whichever part, and find the response by its key', async () => {
    for (let seen = 1; seen <= 3; seen++) {
      const stepped = steppedStream()
      upstream.program(stepped.behaviour)
      const opening = OpenStream.open(caller, body)
      await stepped.started
      stepped.send(goodEvents.slice(0, seen).join(''))
      const stream = await opening
      await stream.leave()
      stepped.send(goodEvents.slice(seen).join(''))
      stepped.finish()
      await settled(seen)
      const replay = await caller.complete(body, { 'idempotency-key': stream.key })
      expect(replay.body.choices[0].message.content).toBe(goodContent)
      expect(replay.headers['idempotent-replayed']).toBe('true')
    }
  })

  it('a key has at most 64 open streams, and gets 429 for one more before anything is charged', async () => {
    upstream.program(streams(part({ content: 'a' }), 'hang'))
    const open = await Promise.all(Array.from({ length: 64 }, () => OpenStream.open(caller, body)))
    const refused = await caller.complete({ ...body, stream: true })
    expect([refused.status, refused.body.error.type]).toEqual([429, 'rate_limit_error'])
    expect(refused.headers).toMatchObject({ 'x-should-retry': 'true', 'retry-after': '1' })
    expect(await spent()).toEqual({ available: 64 * 3, reserved: 64 * 3 })
    await upstream.dropConnections()
    for (const stream of open) expect(streamed({ text: await stream.rest() }).error?.code).toBe('MANUAL_REVIEW')
    upstream.program(streams(goodStream))
    await expect.poll(async () => (await caller.complete({ ...body, stream: true })).status).toBe(200)
  })

  it('a duplicate waits for the first call and gets the same response', async () => {
    const stepped = steppedStream()
    upstream.program(stepped.behaviour)
    const key = caller.newKey()
    const opening = OpenStream.open(caller, body, { 'idempotency-key': key })
    await stepped.started
    stepped.send(goodEvents[0]!)
    const stream = await opening
    const second = caller.complete(body, { 'idempotency-key': key })
    stepped.send(goodEvents.slice(1).join(''))
    stepped.finish()
    const duplicate = await second
    expect(duplicate.body.choices[0].message.content).toBe(goodContent)
    expect(duplicate.headers['x-charge-id']).toBe(stream.headers['x-charge-id'])
    expect(streamed({ text: await stream.rest() }).isDone).toBe(true)
    await settled(1)
  })

  it('a client that lost its connection and repeats the call joins the first one', async () => {
    const stepped = steppedStream()
    upstream.program(stepped.behaviour)
    const calls = upstream.calls.length
    const opening = OpenStream.open(caller, body)
    await stepped.started
    stepped.send(goodEvents[0]!)
    const stream = await opening
    await stream.leave()
    // It is under way: the repeat waits for it.
    const second = repeat()
    stepped.send(goodEvents.slice(1).join(''))
    stepped.finish()
    const joined = await second
    expect(joined.status).toBe(200)
    expect(joined.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'x-charge-id': stream.headers['x-charge-id'],
      'idempotency-key': stream.key,
    })
    await settled(1)
    expect(upstream.calls.length).toBe(calls + 1)
    // That response was delivered, so the next repeat is a call of its own.
    upstream.program(streams(goodStream))
    expect((await repeat(2, { stream: true })).headers['x-charge-id']).not.toBe(joined.headers['x-charge-id'])
    await settled(2)
  })

  it('a repeat finds a call that was settled, or went to review, after its client had left', async () => {
    for (const end of ['complete', 'cut'] as const) {
      const stepped = steppedStream()
      upstream.program(stepped.behaviour)
      const opening = OpenStream.open(caller, body)
      await stepped.started
      stepped.send(goodEvents[0]!)
      const stream = await opening
      await stream.leave()
      if (end === 'complete') stepped.send(goodEvents.slice(1).join(''))
      stepped.finish(end)
      if (end === 'complete') await settled(1)
      else await expect.poll(spent).toEqual({ available: 6, reserved: 3 })
      const joined = await repeat()
      expect(joined.status).toBe(end === 'complete' ? 200 : 403)
      expect(joined.headers['x-charge-id']).toBe(stream.headers['x-charge-id'])
    }
  })

  it('a repeat joins no call that was answered, or whose client is still there, or that has a key of its own', async () => {
    upstream.program(streams(goodStream))
    const answered = await caller.complete({ ...body, stream: true })
    const first = await repeat(1, { stream: true })
    expect(first.headers['x-charge-id']).not.toBe(answered.headers['x-charge-id'])
    const stepped = steppedStream()
    upstream.program(stepped.behaviour, streams(goodStream))
    const opening = OpenStream.open(caller, body)
    await stepped.started
    stepped.send(goodEvents[0]!)
    const living = await opening
    const second = await repeat(1, { stream: true })
    expect(second.headers['x-charge-id']).not.toBe(living.headers['x-charge-id'])
    // Its own key switches joining off.
    await living.leave()
    const own = await caller.complete(
      { ...body, stream: true },
      { 'idempotency-key': caller.newKey(), 'x-stainless-retry-count': '1' },
    )
    expect(own.headers['x-charge-id']).not.toBe(living.headers['x-charge-id'])
    stepped.send(goodEvents.slice(1).join(''))
    stepped.finish()
    await settled(5)
  })

  it('of several lost calls each repeat joins another, the oldest first', async () => {
    const lost: string[] = []
    for (let count = 0; count < 3; count++) {
      const stepped = steppedStream()
      upstream.program(stepped.behaviour)
      const opening = OpenStream.open(caller, body)
      await stepped.started
      stepped.send(goodEvents[0]!)
      const stream = await opening
      lost.push(String(stream.headers['x-charge-id']))
      await stream.leave()
      stepped.send(goodEvents.slice(1).join(''))
      stepped.finish()
      await settled(count + 1)
    }
    const joined = []
    for (let count = 0; count < 3; count++) joined.push((await repeat()).headers['x-charge-id'])
    expect(joined).toEqual(lost)
    await settled(3)
  })

  it.each([
    ['never reads', 0],
    ['reads a byte at a time', 1],
  ])('a caller who %s is dropped, and the response is settled all the same', async (_, bytesEach) => {
    const stepped = steppedStream()
    upstream.program(stepped.behaviour)
    const key = caller.newKey()
    const reader = readSlowly(caller, body, key)
    await stepped.started
    stepped.send(part({ content: 'a' }))
    await reader.begun
    for (let count = 0; count < 60; count++) {
      stepped.send(part({ content: 'b' }).repeat(1000))
      if (bytesEach > 0) await reader.readOne()
    }
    stepped.send(part({}, 'stop') + done)
    stepped.finish()
    await settled(1)
    expect(await reader.rest()).not.toContain('[DONE]')
    const replay = await caller.complete(body, { 'idempotency-key': key })
    expect(replay.body.choices[0].message.content).toHaveLength(60_001)
  })
})

describe.each(httpEngines)('a gateway that stops on %s', (engine) => {
  it('a gateway that stops lets streams finish, then ends them with an error chunk and records them', async () => {
    const upstream = await startUpstream()
    const model = { adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { fast: 'upstream-fast' } }
    const gateway = await startGateway({
      engine,
      file: { models: { providers: { model_provider_b: model } }, server: { drainMs: 100 } },
    })
    const caller = await OpenAiCaller.join(gateway)
    const stepped = steppedStream()
    upstream.program(stepped.behaviour)
    const opening = OpenStream.open(caller, body)
    await stepped.started
    stepped.send(goodEvents[1]!)
    const stream = await opening
    const database = gateway.database
    const store = engine === 'postgres' ? await openDatabase(database, { exclusive: false }) : null
    await gateway.app.stop()
    const chargeId = stream.headers['x-charge-id']
    expect(streamed({ text: await stream.rest() })).toMatchObject({
      isDone: false,
      error: { code: 'MANUAL_REVIEW', charge_id: chargeId },
    })
    await stepped.closed
    const after = store ?? (await openDatabase(database))
    const rows = await after.read((tx) => tx.all('SELECT state FROM charges'))
    expect(rows).toEqual([{ state: 'manual_review' }])
    await after.close()
    await gateway.database.remove()
    await upstream.close()
  })
})
