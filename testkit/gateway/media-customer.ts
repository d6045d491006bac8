import { setTimeout as delay } from 'node:timers/promises'
import type { MediaJob } from '../../src/features/calls/media/contract.ts'
import type { FakeMediaProvider } from '../providers/media-provider.ts'
import type { HttpResponse } from './gateway.ts'
import type { PayingCustomer } from './paying-customer.ts'

/** The configuration of a gateway whose default provider is the fake one. */
export const mediaFile = (provider: Pick<FakeMediaProvider, 'url'>, media: object = {}) => ({
  media: {
    providers: {
      media_provider_a: {
        adapter: 'http',
        baseUrl: provider.url,
        timeoutMs: 2000,
        callbackSecretEnv: 'MEDIA_CALLBACK_SECRET',
        breaker: { failures: 1000 },
      },
    },
    ...media,
  },
})

/** What a customer does with media jobs. */
export const mediaOf = (customer: PayingCustomer) => {
  const { gateway } = customer.browser
  const authorization = { authorization: `Bearer ${customer.apiKey}` }
  const get = (path: string, headers: Record<string, string> = {}) =>
    gateway.send('GET', path, { ...authorization, ...headers })
  const read = async (jobId: string): Promise<MediaJob> => (await get(`/v1/media/jobs/${jobId}`)).body
  return {
    get,
    read,
    head: (path: string) => gateway.send('HEAD', path, authorization),
    create: (prompt: string, more: object = {}, key = customer.newKey()): Promise<HttpResponse> =>
      gateway.call(customer.apiKey, '/v1/media/jobs', key, { prompt, ...more }),
    cancel: (jobId: string): Promise<HttpResponse> =>
      gateway.send('POST', `/v1/media/jobs/${jobId}/cancel`, { ...authorization, 'content-length': '0' }),
    async becomes(jobId: string, status: MediaJob['status']): Promise<MediaJob> {
      return until(
        () => read(jobId),
        (job) => job.status === status,
      )
    },
    ends: (jobId: string) =>
      until(
        () => read(jobId),
        (job) => job.finishedAt !== null,
      ),
  }
}

const waitMs = 40_000

/** Reads until it is as wanted; also before the first test, where `expect.poll` cannot be used. */
async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + waitMs
  for (;;) {
    const value = await read()
    if (isDone(value)) return value
    if (Date.now() > deadline) throw new Error(`it stayed ${JSON.stringify(value)}`)
    await delay(50)
  }
}
