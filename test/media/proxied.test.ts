import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Gateway, startGateway } from '../support/gateway/gateway.ts'
import { mediaFile, mediaOf } from '../support/gateway/media-customer.ts'
import { PayingCustomer } from '../support/gateway/paying-customer.ts'
import { clip, type FakeMediaProvider, startMediaProvider } from '../support/providers/media-provider.ts'

const secret = Buffer.from('a secret of at least 24 bytes')
const hourMs = 3_600_000

describe('clips that are streamed from the provider', () => {
  let provider: FakeMediaProvider
  let gateway: Gateway
  let customer: PayingCustomer
  let media: ReturnType<typeof mediaOf>

  beforeAll(async () => {
    provider = await startMediaProvider()
    gateway = await startGateway({
      // Nothing is polled within the time of a test, unless a callback says so.
      file: mediaFile(provider, { content: 'proxy', poll: { firstMs: hourMs, maxMs: hourMs } }),
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

  it('a truncated clip is not charged', async () => {
    const before = await customer.credits()
    const { jobId } = (await media.create('truncated')).body
    for (let tries = 0; tries < 3; tries++) {
      const fetched = provider.fetched(jobId)
      await callBack(jobId)
      await expect.poll(() => provider.fetched(jobId)).toBeGreaterThan(fetched)
    }
    expect((await media.becomes(jobId, 'failed')).error).toMatchObject({ code: 'PROVIDER_CONTRACT_INVALID' })
    expect(await customer.credits()).toEqual(before)
  })
})
