import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createReadContent } from '../../../../src/features/calls/media/content-files.ts'
import type { MediaProvider } from '../../../../src/features/calls/media/providers/provider.ts'
import type { ChargedJob } from '../../../../src/features/calls/media/store.ts'

const whole = Buffer.alloc(200_000, 'clip')
const facts = { contentType: 'video/mp4', bytes: whole.length, sha256: '', expiresAt: 1 }
const job = { jobId: 'job_1', provider: 'a', providerId: '1', content: facts } as ChargedJob

/** Ends as a body of undici does: leaving before its end is an error. */
class Body extends Readable {
  constructor() {
    super({ read: () => {}, destroy: (error, done) => done(error ?? new Error('aborted')) })
    this.on('error', () => {})
  }
}

function open(body: Body) {
  const provider = {
    open: async () => ({
      ...{ kind: 'opened', contentType: 'video/mp4', length: whole.length, isPart: false, body },
    }),
  } as unknown as MediaProvider
  const readContent = createReadContent({
    files: { find: async () => null },
    providers: new Map([['a', provider]]),
    clock: () => 0,
  })
  return readContent(job).open({ start: 0, end: whole.length - 1 })
}

test('a slow reader gets all of a clip, however early the provider has sent it', async () => {
  const body = new Body()
  const part = await open(body)
  body.push(whole)
  await new Promise((resolve) => body.once('close', resolve))
  expect(await buffer(part)).toEqual(whole)
})

test('a clip that the provider cuts short fails for its reader', async () => {
  const body = new Body()
  const part = await open(body)
  body.push(whole.subarray(0, 100))
  part.once('data', () => body.destroy())
  await expect(buffer(part)).rejects.toThrow('aborted')
})
