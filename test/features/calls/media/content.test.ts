import { createHmac } from 'node:crypto'
import { mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { mediaFile, mediaOf } from '../../../../testkit/gateway/media-customer.ts'
import { PayingCustomer } from '../../../../testkit/gateway/paying-customer.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { clip, type FakeMediaProvider, startMediaProvider } from '../../../../testkit/providers/media-provider.ts'

const secret = Buffer.from('a secret of at least 24 bytes')

describe('the clip of a job', () => {
  const clock = new TestClock()
  const startedAt = performance.now()
  /** Runs as time does, and jumps when a test wants it. */
  const now = () => clock.now + Math.round(performance.now() - startedAt)
  let provider: FakeMediaProvider
  let gateway: Gateway
  let customer: PayingCustomer
  let media: ReturnType<typeof mediaOf>
  let path: string

  beforeAll(async () => {
    provider = await startMediaProvider()
    gateway = await startGateway({
      file: { ...mediaFile(provider), limits: { mediaReadsPerKey: { max: 1000, windowSeconds: 60 } } },
      clock: now,
      environment: { MEDIA_CALLBACK_SECRET: `whsec_${secret.toString('base64')}` },
    })
    customer = await PayingCustomer.join(gateway)
    media = mediaOf(customer)
    const { jobId } = (await media.create('a clip')).body
    path = (await media.becomes(jobId, 'completed')).content!.url
  })
  afterAll(async () => {
    await gateway.stop()
    await provider.close()
  })

  it('the clip of a job is served whole, in parts, by HEAD and conditionally, and never by a redirect', async () => {
    const whole = await media.get(path)
    expect([whole.status, whole.headers['accept-ranges'], whole.text.length]).toEqual([200, 'bytes', clip.length])
    expect(whole.headers['content-disposition']).toMatch(/filename="job_\w+\.mp4"/)
    const etag = String(whole.headers.etag)

    const part = async (range: string, more: Record<string, string> = {}) => {
      const { status, headers, text } = await media.get(path, { range, ...more })
      return [status, headers['content-range'], Number(headers['content-length']), text.length]
    }
    const all = [200, undefined, clip.length, clip.length]
    expect(await part('bytes=0-99')).toEqual([206, `bytes 0-99/${clip.length}`, 100, 100])
    const lastBytes = `${clip.length - 8}-${clip.length - 1}`
    expect(await part(`bytes=${clip.length - 8}-`)).toEqual([206, `bytes ${lastBytes}/${clip.length}`, 8, 8])
    expect(await part('bytes=-8')).toEqual([206, `bytes ${lastBytes}/${clip.length}`, 8, 8])
    expect(await part('bytes=0-99999')).toEqual([
      206,
      `bytes 0-${clip.length - 1}/${clip.length}`,
      clip.length,
      clip.length,
    ])
    for (const odd of ['bytes=0-1,3-4', 'bytes=9-3', 'items=0-1', 'bytes=-']) expect(await part(odd)).toEqual(all)
    expect(await part('bytes=0-99', { 'if-range': etag })).toEqual([206, `bytes 0-99/${clip.length}`, 100, 100])
    expect(await part('bytes=0-99', { 'if-range': '"another"' })).toEqual(all)
    const beyond = await media.get(path, { range: 'bytes=99999-' })
    expect([beyond.status, beyond.headers['content-range'], beyond.body.error.code]).toEqual([
      416,
      `bytes */${clip.length}`,
      'RANGE_NOT_SATISFIABLE',
    ])
    expect((await media.get(path, { 'if-none-match': etag })).status).toBe(304)
    const head = await media.head(path)
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(clip.length), ''])
  })

  it('the clip of a job is not there before the job is completed, nor when it failed', async () => {
    for (const prompt of ['hang', 'fail']) {
      const { jobId } = (await media.create(prompt)).body
      expect((await media.get(`/v1/media/jobs/${jobId}/content`)).body.error.code).toBe('JOB_NOT_FINISHED')
    }
  })

  it('the clip of a job is streamed from the provider where the file is missing, and refused when the provider has lost it', async () => {
    const { jobId } = (await media.create('gone')).body
    await media.becomes(jobId, 'completed')
    await rm(join(gateway.database.dataDir, 'media', `${jobId}.mp4`))
    const at = `/v1/media/jobs/${jobId}/content`
    const part = await media.get(at, { range: 'bytes=10-19' })
    expect([part.status, part.text]).toEqual([206, clip.subarray(10, 20).toString('latin1')])
    provider.isDead = true
    expect((await media.get(at)).body.error.code).toBe('PROVIDER_UNAVAILABLE')
    provider.isDead = false
  })

  it('the clip of a job is not charged while the disk does not take it, and is once it does', async () => {
    const directory = join(gateway.database.dataDir, 'media')
    await rm(directory, { recursive: true })
    // A file where the directory should be: nothing can be created.
    await writeFile(directory, '')
    const before = await customer.credits()
    const { jobId } = (await media.create('no room')).body
    const failures = () => gateway.log.filter((line) => line.includes('a clip could not be kept')).length
    await expect.poll(failures).toBeGreaterThan(3)
    expect(await media.read(jobId)).toMatchObject({ status: 'in_progress', content: null })
    expect((await media.get(`/v1/media/jobs/${jobId}/content`)).body.error.code).toBe('JOB_NOT_FINISHED')
    expect(await customer.credits()).toEqual({ available: before.available - 10, reserved: before.reserved + 10 })
    await rm(directory)
    await media.becomes(jobId, 'completed')
    expect((await customer.credits()).reserved).toBe(before.reserved)
    expect((await stat(join(directory, `${jobId}.mp4`))).size).toBe(clip.length)
  })

  it('the clip of a job is not charged when the disk is full in the middle of it, and is fetched again', async () => {
    provider.takesMs = 3_600_000
    const { jobId } = (await media.create('full disk')).body
    // The kernel fails each write to this device with ENOSPC.
    const directory = join(gateway.database.dataDir, 'media')
    await mkdir(directory, { recursive: true })
    await symlink('/dev/full', join(directory, `${jobId}.mp4.${process.pid}.part`))
    provider.takesMs = 0
    await media.becomes(jobId, 'completed')
    const lines = gateway.log.filter((line) => line.includes(jobId) && line.includes('a clip could not be kept'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('ENOSPC')
    expect((await stat(join(directory, `${jobId}.mp4`))).size).toBe(clip.length)
  })

  it('the clip of a job is kept from a key that was revoked or lacks the scope, at once', async () => {
    const { apiKey, keyId } = await customer.browser.createKey(['media:run'])
    const read = (key: string) => gateway.send('GET', path, { authorization: `Bearer ${key}` })
    expect((await read(apiKey)).status).toBe(200)
    await customer.browser.post(`/v1/keys/${keyId}/revoke`, {})
    expect((await read(apiKey)).body.error.code).toBe('UNAUTHORIZED')
    const { apiKey: other } = await customer.browser.createKey(['pick:read'])
    expect((await read(other)).body.error.code).toBe('FORBIDDEN')
    expect((await gateway.send('GET', path)).body.error.code).toBe('UNAUTHORIZED')
  })

  it('the clip of a job is kept from a key that expired, and from a suspended account until it is reinstated', async () => {
    const owner = await PayingCustomer.join(gateway)
    const { jobId } = (await mediaOf(owner).create('a clip')).body
    const { url } = (await mediaOf(owner).becomes(jobId, 'completed')).content!
    const read = (key: string) => gateway.send('GET', url, { authorization: `Bearer ${key}` })
    const { apiKey, keyId } = await owner.browser.createKey(['media:run'])
    const expiresAt = new Date(now() + 60_000).toISOString()
    await owner.browser.post(`/v1/console/keys/${keyId}/update`, { expiresAt })
    expect((await read(apiKey)).status).toBe(200)
    clock.advanceSeconds(61)
    expect((await read(apiKey)).body.error.code).toBe('KEY_EXPIRED')

    const run = (...argv: string[]) => runCommand(gateway.database, ['accounts', ...argv])
    const found = await run('find', '--id', owner.projectId, '--json')
    const { accountId } = JSON.parse(found.stdout).items[0]
    expect(await run('suspend', accountId, '--reason', 'a test')).toMatchObject({ exitCode: 0 })
    expect((await read(owner.apiKey)).body.error.code).toBe('UNAUTHORIZED')
    expect((await mediaOf(owner).create('one more')).body.error.code).toBe('UNAUTHORIZED')
    expect(await run('reinstate', accountId, '--reason', 'a test')).toMatchObject({ exitCode: 0 })
    expect((await read(owner.apiKey)).status).toBe(200)
  })

  it('a callback brings the next poll forward only if it is signed', async () => {
    const { jobId } = (await media.create('hang')).body
    const polls = () => provider.polls.filter(({ reference }) => reference === jobId).length
    const body = JSON.stringify({ id: provider.idOf(jobId) })
    const timestamp = String(Math.floor(now() / 1000))
    const sign = (key: Buffer, at = timestamp) =>
      `v1,${createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64')}`
    const send = (signature: string, at = timestamp, name = 'media_provider_a') =>
      gateway.send(
        'POST',
        `/v1/media/callbacks/${name}`,
        { 'webhook-id': 'msg_1', 'webhook-timestamp': at, 'webhook-signature': signature },
        body,
      )
    // By now the wait between two polls is the longest there is.
    await expect.poll(polls).toBeGreaterThan(6)
    expect((await send(sign(secret))).status).toBe(204)
    expect((await send(`v1,AAAA ${sign(secret)}`)).status).toBe(204)
    for (const refused of [
      await send(sign(Buffer.from('another secret'))),
      await send(''),
      await send(sign(secret, '1000'), '1000'),
      await send(sign(secret), timestamp, 'media_provider_b'),
    ])
      expect([refused.status, refused.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    expect((await send(sign(secret), timestamp, 'unknown')).status).toBe(404)
  })

  it('reads of the clip of a job have their own limit', async () => {
    const { apiKey } = await customer.browser.createKey(['media:run'])
    const read = () => gateway.send('GET', '/v1/media/jobs', { authorization: `Bearer ${apiKey}` })
    const responses = await Promise.all(Array.from({ length: 1001 }, read))
    const limited = responses.filter(({ status }) => status === 429)
    expect(limited.map(({ body, headers }) => [body.error.code, Number(headers['retry-after']) > 0])).toEqual([
      ['RATE_LIMITED', true],
    ])
  })

  it('the clip of a job expires after the days that were promised', async () => {
    clock.advanceSeconds(8 * 86_400)
    expect((await media.get(path)).body.error.code).toBe('CONTENT_EXPIRED')
    expect((await media.get(path)).status).toBe(410)
  })
})
