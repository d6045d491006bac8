import { chunksIn } from './chunks.ts'
import type { Charge, ChatChunk, Key, MediaJob, MediaRequest, Requests, Responses } from './contract.ts'
import { CallAborted, GatewayError, JobFailed, ReviewPending, type WaitOptions } from './errors.ts'
import {
  type CallOptions,
  createSend,
  type GatewayOptions,
  type Outgoing,
  pause,
  type Received,
  type Send,
} from './transport.ts'
import { unwrap } from './webhooks.ts'

/** The body, and what came with it. */
export interface WithResponse<T> {
  readonly data: T
  readonly response: Response
  /** The key under which the call was made, also if it was generated; undefined for reads. */
  readonly idempotencyKey: string | undefined
}

/** A promise of the body; `withResponse` gives the headers too. */
export interface Pending<T> extends Promise<T> {
  withResponse(): Promise<WithResponse<T>>
}

type Operation = keyof Requests

export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant'
  readonly content: string
}

/** Either `prompt` or `messages`. */
export type StreamRequest = { readonly model?: string } & (
  | { readonly prompt: string; readonly messages?: undefined }
  | { readonly prompt?: undefined; readonly messages: readonly ChatMessage[] }
)

/** Calls a billable operation. */
export type OperationCall<O extends Operation> = (request: Requests[O], options?: CallOptions) => Pending<Responses[O]>

export interface JobWaitOptions extends CallOptions {
  /** Between two reads of the job; 2 seconds by default. */
  readonly intervalMs?: number | undefined
  readonly onProgress?: ((job: MediaJob) => void) | undefined
}

/** A client of the gateway. Every method makes one Idempotency-Key and keeps it as long as the gateway accepts a repeat under it. */
export class Gateway {
  /** Verifies webhooks of the gateway, which are Standard Webhooks. */
  static readonly webhooks = { unwrap }

  readonly #send: Send

  constructor(options: GatewayOptions) {
    this.#send = createSend(options)
  }

  readonly models = {
    chat: this.#operation('model.chat', '/v1/models/chat'),
    /** The response in parts, as they arrive. It costs what `chat` costs, also if you stop reading. */
    stream: (request: StreamRequest, options: CallOptions = {}): AsyncIterable<ChatChunk> => {
      const { prompt, messages = [{ role: 'user' as const, content: prompt! }], ...more } = request
      const sent = outgoing('/v1/chat/completions', { ...more, messages, stream: true }, options)
      return this.#stream(sent, options)
    },
  }
  readonly shopping = { search: this.#operation('shopping.search', '/v1/shopping/search') }
  readonly pick = {
    search: this.#operation('pick.search', '/v1/pick/search'),
    filter: this.#operation('pick.filter', '/v1/pick/filter'),
    compare: this.#operation('pick.compare', '/v1/pick/compare'),
    recommend: this.#operation('pick.recommend', '/v1/pick/recommend'),
    prepurchaseReview: this.#operation('pick.prepurchase_review', '/v1/pick/prepurchase-review'),
    links: this.#operation('pick.links', '/v1/pick/links'),
  }
  readonly agent = { run: this.#operation('agent.run', '/v1/agent/run') }

  readonly key = {
    /** The key that this client uses: its limits, its budget, and the balance if it may know. */
    get: (options: CallOptions = {}): Pending<Key> => this.#get('/v1/key', options),
  }

  readonly charges = {
    get: (chargeId: string, options: CallOptions = {}): Pending<Charge> =>
      this.#get(`/v1/charges/${encodeURIComponent(chargeId)}`, options),
    /** All charges of the key, the newest first; `limit` is the size of a page. */
    list: (options: CallOptions & { readonly limit?: number | undefined } = {}): AsyncIterable<Charge> =>
      this.#charges(options),
  }

  readonly media = {
    create: (request: MediaRequest, options: CallOptions = {}): Pending<MediaJob> =>
      this.#pending(outgoing('/v1/media/jobs', request, options), options),
    get: (jobId: string, options: CallOptions = {}): Pending<MediaJob> => this.#get(jobPath(jobId), options),
    cancel: (jobId: string, options: CallOptions = {}): Pending<MediaJob> =>
      this.#pending({ method: 'POST', path: `${jobPath(jobId)}/cancel`, body: '{}' }, options),
    /** The clip; read its body with `blob`, `arrayBuffer` or as a stream. */
    content: async (jobId: string, options: CallOptions = {}): Promise<Response> =>
      (await this.#send({ method: 'GET', path: `${jobPath(jobId)}/content` }, options, 'stream')).response,
    /** Resolves with the completed job. An abort stops the waiting, not the job. */
    createAndWait: (request: MediaRequest, options: JobWaitOptions = {}): Promise<MediaJob> =>
      this.#finish(this.media.create(request, options), options),
  }

  #operation<O extends Operation>(operation: O, path: string): OperationCall<O> {
    return (request, options = {}) =>
      this.#pending(outgoing(path, request, options), options, (received) => this.#refuseReview(operation, received))
  }

  async *#stream(request: Outgoing, options: CallOptions): AsyncGenerator<ChatChunk> {
    const { signal } = options
    try {
      yield* chunksIn(await this.#send(request, options, 'stream'))
    } catch (error) {
      if (!(error instanceof GatewayError) || error instanceof CallAborted) throw error
      if (signal?.aborted) throw new CallAborted(signal, error)
      if (error.code !== 'MANUAL_REVIEW' || !error.chargeId) throw error
      throw this.#review(error.chargeId, error.message, error)
    }
  }

  #get<T>(path: string, options: CallOptions): Pending<T> {
    return this.#pending({ method: 'GET', path }, options)
  }

  #pending<T>(request: Outgoing, options: CallOptions, check: (received: Received) => void = () => {}): Pending<T> {
    const both = this.#send(request, options, 'json').then((received) => {
      check(received)
      const { body, response, idempotencyKey } = received
      return { data: body as T, response, idempotencyKey }
    })
    const data = both.then((one) => one.data)
    return Object.assign(data, {
      withResponse() {
        // A caller that uses both learns about a failure there.
        data.catch(() => {})
        return both
      },
    })
  }

  #refuseReview(operation: Operation, { response: { status, headers }, body, idempotencyKey }: Received): void {
    if (status !== 202) return
    const requestId = headers.get('x-request-id') ?? undefined
    const { chargeId } = body as { chargeId: string }
    throw this.#review(chargeId, `The outcome of ${operation} is uncertain; an operator decides.`, {
      status,
      requestId,
      headers,
      idempotencyKey,
    })
  }

  #review(chargeId: string, message: string, facts: Pick<GatewayError, 'status'> & Partial<GatewayError>) {
    const { status, requestId, headers, idempotencyKey } = facts
    const all = { code: 'MANUAL_REVIEW', message, chargeId, status, requestId, headers, idempotencyKey }
    return new ReviewPending(all, (options) =>
      naming({ chargeId, idempotencyKey }, options.signal, this.#decided(chargeId, options)),
    )
  }

  async #decided(chargeId: string, { signal, intervalMs = 5000 }: WaitOptions): Promise<Charge> {
    for (;;) {
      const charge = await this.charges.get(chargeId, { signal })
      if (charge.resolution !== null) return charge
      await pause(intervalMs, signal)
    }
  }

  async *#charges({
    limit = 25,
    ...options
  }: CallOptions & { readonly limit?: number | undefined }): AsyncGenerator<Charge> {
    let after: string | null = null
    do {
      const query: string = after === null ? '' : `&after=${encodeURIComponent(after)}`
      const page: ChargePage = await this.#get<ChargePage>(`/v1/charges?limit=${limit}${query}`, options)
      yield* page.items
      after = page.nextCursor
    } while (after !== null)
  }

  async #finish(created: Pending<MediaJob>, options: JobWaitOptions): Promise<MediaJob> {
    const { data, idempotencyKey } = await created.withResponse()
    const { chargeId } = data
    const job = await naming({ chargeId, idempotencyKey }, options.signal, this.#ended(data, options))
    if (job.status === 'completed') return job
    if (job.status !== 'unknown') throw new JobFailed(job)
    throw this.#review(chargeId, 'It is unknown how the job ended.', { status: 200, idempotencyKey })
  }

  async #ended(
    created: MediaJob,
    { onProgress, intervalMs = 2000, signal, maxRetries, timeoutMs }: JobWaitOptions,
  ): Promise<MediaJob> {
    for (let job = created; ; job = await this.media.get(job.jobId, { signal, maxRetries, timeoutMs })) {
      onProgress?.(job)
      if (endStates.has(job.status)) return job
      await pause(intervalMs, signal)
    }
  }
}

const endStates = new Set(['completed', 'failed', 'cancelled', 'unknown'])

/** An abort while waiting names the call that is waited for, not the read that it interrupted. */
async function naming<T>(
  facts: { readonly chargeId: string; readonly idempotencyKey?: string | undefined },
  signal: AbortSignal | undefined,
  waiting: Promise<T>,
): Promise<T> {
  try {
    return await waiting
  } catch (error) {
    throw signal && error instanceof CallAborted ? new CallAborted(signal, facts) : error
  }
}

interface ChargePage {
  readonly items: Charge[]
  readonly nextCursor: string | null
}

const jobPath = (jobId: string) => `/v1/media/jobs/${encodeURIComponent(jobId)}`

/** The body is serialized now: later changes of the request do not reach a retry. */
const outgoing = (path: string, request: object, { idempotencyKey }: CallOptions): Outgoing => ({
  method: 'POST',
  path,
  body: JSON.stringify(request),
  idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
  isOwnKey: idempotencyKey === undefined,
})
