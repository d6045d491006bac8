import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { mediaFile, mediaOf } from '../../../../testkit/gateway/media-customer.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { clip, type FakeMediaProvider, startMediaProvider } from '../../../../testkit/providers/media-provider.ts'

const secret = Buffer.from('a secret of at least 24 bytes')
const hourMs = 3_600_000

describe('clips that are streamed from the provider', () => {
  let provider: FakeMediaProvider
  let gateway: Gateway
  let customer: PayingCustomer
  let media: ReturnType<typeof mediaOf>

  beforeAll(async () => {
    provider = await startMediaProvider()
    // Nothing is polled within the time of a test, unless a callback says so.
    const file = mediaFile(provider, { content: 'proxy' })
    // Longer than a test waits for the reader of a slow clip.
    file.media.providers.media_provider_a.timeoutMs = 60_000
    gateway = await startGateway({
      file,
      mediaTiming: { firstMs: hourMs, maxMs: hourMs },
      environment: { MEDIA_CALLBACK_SECRET: `whsec_${secret.toString('base64')}` },
    })
    customer = await PayingCustomer.join(gateway)
    media = mediaOf(customer)
  })
  afterAll(async () => {
    await gateway.stop()
    await provider.close()
  })

  function callBack(jobId: string) {
    const body = JSON.stringify({ id: provider.idOf(jobId) })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', secret).update(`msg_1.${timestamp}.${body}`).digest('base64')
    return gateway.send(
      'POST',
      '/v1/media/callbacks/media_provider_a',
      { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
      body,
    )
  }

  it('a callback ends the job long before its next poll, and no file is kept', async () => {
    const { jobId } = (await media.create('a clip')).body
    expect(provider.polls).toEqual([])
    expect((await callBack(jobId)).status).toBe(204)
    const { content } = await media.becomes(jobId, 'completed')
    expect(content).toMatchObject({ bytes: clip.length })
    expect(existsSync(join(gateway.database.dataDir, 'media', `${jobId}.mp4`))).toBe(false)

    const whole = await media.get(content!.url)
    expect([whole.status, whole.text.length]).toEqual([200, clip.length])
    const part = await media.get(content!.url, { range: 'bytes=4-7' })
    expect([part.status, part.text]).toEqual([206, 'ftyp'])
    provider.isDead = true
    expect((await media.get(content!.url)).body.error.code).toBe('PROVIDER_UNAVAILABLE')
    provider.isDead = false
  })

  async function finished(prompt: string, of = media): Promise<string> {
    const { jobId } = (await of.create(prompt)).body
    await callBack(jobId)
    return (await of.becomes(jobId, 'completed')).content!.url
  }

  it('a part of a clip costs that part at the provider', async () => {
    const url = await finished('parts')
    const before = provider.servedBytes()
    for (let at = 4000; at < 4020; at += 1) {
      const part = await media.get(url, { range: `bytes=${at}-${at}` })
      expect([part.status, part.text.length]).toEqual([206, 1])
    }
    expect(provider.servedBytes() - before).toBe(20)
    const end = await media.get(url, { range: 'bytes=-8' })
    expect([end.status, end.text]).toEqual([206, clip.subarray(-8).toString('latin1')])
  })

  it('a provider that ignores ranges serves the beginning of a clip and no other part', async () => {
    const url = await finished('no-ranges')
    const start = await media.get(url, { range: 'bytes=0-7' })
    expect([start.status, start.text]).toEqual([206, clip.subarray(0, 8).toString('latin1')])
    expect((await media.get(url)).text.length).toBe(clip.length)
    const before = provider.servedBytes()
    for (let tries = 0; tries < 5; tries += 1) {
      const part = await media.get(url, { range: 'bytes=10-10' })
      expect([part.status, part.body.error.code]).toEqual([416, 'RANGE_NOT_SATISFIABLE'])
    }
    expect(provider.servedBytes() - before).toBe(0)
  })

  it('a provider that responds with another part is not believed', async () => {
    const part = await media.get(await finished('other-range'), { range: 'bytes=10-19' })
    expect([part.status, part.body.error.code]).toEqual([502, 'PROVIDER_CONTRACT_INVALID'])
  })

  it('a project reads two clips from a provider at a time, and holds up neither others nor its own jobs', async () => {
    const url = await finished('slow-clip no-ranges')
    const other = mediaOf(await PayingCustomer.join(gateway))
    const theirs = await finished('a clip', other)
    const fetched = () => provider.fetched(url.split('/')[4]!)
    const before = fetched()
    const headers = { host: 'localhost:8787', authorization: `Bearer ${customer.apiKey}` }
    const open = () => request(`http://127.0.0.1:${gateway.app.public.port}${url}`, { headers })
    const readers = [await open(), await open()]
    expect(fetched()).toBe(before + 2)
    const third = await media.get(url)
    expect([third.status, third.body.error.code]).toEqual([503, 'PROVIDER_CAPACITY_EXHAUSTED'])
    expect((await other.get(theirs)).status).toBe(200)
    await finished('one more')
    for (const { body } of readers) body.on('error', () => {}).destroy()
    await expect.poll(async () => (await media.get(url, { range: 'bytes=0-0' })).status).toBe(206)
  })

  it.each(['truncated', 'short'])('a %s clip is not charged', async (fault) => {
    const before = await customer.credits()
    const { jobId } = (await media.create(fault)).body
    for (let tries = 0; tries < 3; tries++) {
      const fetched = provider.fetched(jobId)
      // Repeated, because a callback during a poll changes nothing.
      await expect.poll(() => callBack(jobId).then(() => provider.fetched(jobId))).toBeGreaterThan(fetched)
    }
    expect((await media.becomes(jobId, 'failed')).error).toMatchObject({ code: 'PROVIDER_CONTRACT_INVALID' })
    expect(await customer.credits()).toEqual(before)
  })
})
