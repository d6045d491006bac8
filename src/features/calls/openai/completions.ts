import { setMaxListeners } from 'node:events'
import { afterPendingInput } from '../../../base/after-pending-input.ts'
import { tokenDigest } from '../../../base/signatures.ts'
import { completionJsonDepth } from '../../../contract/chat-parameters.ts'
import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import { idempotencyKeyMaxLength } from '../../../contract/headers.ts'
import { prices } from '../../../contract/prices.ts'
import type { InstanceLimit } from '../../../http/instance-limit.ts'
import { LiveBody } from '../../../http/live-body.ts'
import type { Call, RouteResponse } from '../../../http/route.ts'
import type { RelayResponse } from '../../../relay/call.ts'
import type { BusinessOperations, PreparedCall } from '../../../relay/operations/operation.ts'
import type { Relay } from '../../../relay/relay.ts'
import type { Authenticate, Principal } from '../../identity/keys/authenticate.ts'
import { authenticateCall, noteCharge, type ReceiptOf, receiptHeader } from '../native/routes.ts'
import { type ChatCompletion, chatCompletion, shortStream } from './chat-completion.ts'
import { type Deliveries, isRepeat } from './deliveries.ts'
import { type ErrorFacts, errorChunk, errorResponse, presentRefusal, storedRefusal } from './errors.ts'
import type { LargeBodies } from './large-bodies.ts'
import type { OpenStreams } from './open-streams.ts'
import { ParameterFault } from './parameters.ts'
import type { ReleasedStreams } from './released-streams.ts'
import { type CompletionCall, type PassesOf, readCompletion } from './request.ts'
import { ResponseStream } from './response-stream.ts'
import type { LostResponse } from './unanswered-calls.ts'
import type { RefuseUnpaid } from './unpaid-bodies.ts'

const operation = 'model.chat'
const { credits, scope } = prices[operation]

export interface CompletionDeps {
  readonly authenticate: Authenticate
  readonly relay: Pick<Relay, 'run' | 'refuse'>
  readonly operations: BusinessOperations
  readonly refusals: InstanceLimit
  readonly deliveries: Deliveries
  readonly receiptOf: ReceiptOf
  readonly passesOf: PassesOf
  readonly largeBodies: LargeBodies
  readonly refuseUnpaid: RefuseUnpaid
  readonly openStreams: OpenStreams
  readonly released: Pick<ReleasedStreams, 'count'>
  /** Called with every fault of our own that left a charge open. */
  readonly onFault: (error: unknown, context: { chargeId: string }) => void
}

/** A call that may be forwarded. */
interface CompletionAttempt extends ReadAttempt {
  readonly call: Call
  readonly principal: Principal
  readonly idempotencyKey: string
  readonly joined: LostResponse | null
  /** Whether the caller sent no key, so that a repeat may have to find this call. */
  readonly tracksDelivery: boolean
}

/** How an attempt ended. With a charge, a fault says nothing about its outcome: that is still being recorded. */
type CompletionEnd =
  | { readonly response: RelayResponse }
  | { readonly fault: unknown; readonly chargeId: string | null }

/** `POST /v1/chat/completions`: another entrance to `model.chat`. */
export function createCompletions(deps: CompletionDeps) {
  const { relay, deliveries } = deps
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)

  async function respond(call: Call): Promise<RouteResponse> {
    const principal = await authenticateCall(deps.authenticate, call, { scope })
    deps.refusals.check(principal.keyId)
    await deps.refuseUnpaid(call, principal)
    const read = await deps.largeBodies.read(call, principal.projectId, () => readAttempt(deps, call))
    if ('code' in read) return refuse(call, principal, read)
    const isOwnKey = read.idempotencyKey !== null
    const asked = { keyId: principal.keyId, operation, request: read.request } as const
    const joined =
      !isOwnKey && (isRepeat(call) || deliveries.isAwaited(asked)) ? await deliveries.findLost(asked) : null
    const idempotencyKey = read.idempotencyKey ?? joined?.idempotencyKey ?? call.requestId
    const attempt = { ...read, call, principal, idempotencyKey, joined, tracksDelivery: !isOwnKey }
    return attempt.isStream ? stream(attempt) : whole(attempt)
  }

  /** The key and its rate limit are judged first, as for every call. */
  async function refuse(call: Call, principal: Principal, fault: ErrorFacts): Promise<RouteResponse> {
    deps.refusals.count(principal.keyId)
    const { address } = call.requester
    try {
      return await relay.refuse({ operation, principal, address }, fault.code)
    } catch (error) {
      if (error instanceof Refusal && error.code === fault.code) return errorResponse(fault)
      throw error
    }
  }

  async function run(attempt: CompletionAttempt, sink?: ResponseStream): Promise<CompletionEnd> {
    const { call, principal, request, prepared, idempotencyKey, tracksDelivery } = attempt
    const asked = { keyId: principal.keyId, operation, request } as const
    const delivery = tracksDelivery ? deliveries.watch(call, asked, attempt.joined) : null
    const note = noteCharge(call, principal)
    let chargeId: string | null = null
    const onCharge = (id: string | null, isUnderWay: boolean) => {
      chargeId = id
      note(id)
      delivery?.charged(id)
      if (id !== null) sink?.charged(id, isUnderWay)
    }
    try {
      const response = await relay.run<typeof operation>({
        ...{ operation, principal, request, prepared, sink, onCharge, tracksDelivery },
        address: call.requester.address,
        idempotencyDigest: tokenDigest('idempotency', idempotencyKey),
        requestId: call.requestId,
        ...{ present: chatCompletion, presentRefusal },
      })
      // A client that has left before the end of its response did not get it, so look for that first.
      if (delivery) await new Promise<void>(afterPendingInput)
      return { response }
    } catch (fault) {
      delivery?.failed()
      if (chargeId !== null) deps.onFault(fault, { chargeId })
      return { fault, chargeId }
    } finally {
      delivery?.ended()
    }
  }

  async function whole(attempt: CompletionAttempt): Promise<RouteResponse> {
    const ended = await run(attempt)
    const response = responseTo(attempt, ended)
    if (!('response' in ended)) return response
    const receipt = await receiptHeader(deps.receiptOf, attempt.call, ended.response)
    return { ...response, headers: { ...response.headers, ...receipt } }
  }

  async function stream(attempt: CompletionAttempt): Promise<RouteResponse> {
    const { call, principal, prepared, includesUsage, idempotencyKey } = attempt
    const open = deps.openStreams.enter(call, principal.keyId)
    const sink = new ResponseStream({ model: prepared.model!.name, includesUsage }, closing.signal)
    const running = run(attempt, sink).finally(() => {
      sink.close()
      open.ended()
    })
    const early = await Promise.race([sink.begun, running])
    if (early) return responseTo(attempt, early)
    return {
      status: 200,
      headers: { ...eventHeaders, 'Idempotency-Key': idempotencyKey, 'X-Credits-Reserved': String(credits) },
      body: liveBody(sink, running, { ...attempt, released: deps.released }),
    }
  }

  return {
    respond,
    /** Ends the streams that are open. They are recorded as cut, and end with an error. */
    endStreams(): number {
      closing.abort()
      return deps.openStreams.running()
    },
  }
}

const eventHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  // nginx would hold the parts back.
  'X-Accel-Buffering': 'no',
}

type StreamAttempt = CompletionAttempt & Pick<CompletionDeps, 'released'>

function liveBody(sink: ResponseStream, running: Promise<CompletionEnd>, attempt: StreamAttempt): LiveBody {
  const { call, principal } = attempt
  // The headers, which are sent now, cannot name a charge that may still be replaced by one of this call.
  if (sink.isOfAnother) call.noteCharge(null)
  return new LiveBody(async (output) => {
    sink.sendTo(output)
    const ended = await running
    noteCharge(call, principal)('response' in ended ? ended.response.chargeId : ended.chargeId)
    return endStream(sink, ended, attempt)
  })
}

/** Sends the end of a stream that has begun, and returns the error code that it ended with. */
function endStream(sink: ResponseStream, ended: CompletionEnd, attempt: StreamAttempt): ErrorCode | null {
  const failure = failureOf(ended)
  if (failure) {
    if (failure.charge === 'released') attempt.released.count(sink.partBytes)
    sink.end(errorChunk(failure, attempt.call.charge?.chargeId ?? null))
    return failure.code
  }
  const { response } = ended as { response: RelayResponse }
  const { chargeId, isReplay } = response
  const completion = bodyOf(response) as ChatCompletion
  if (isReplay) sink.end(shortStream(completion, { ...attempt, chargeId }))
  else sink.finish(completion)
  return null
}

/** The response to a call of which nothing was sent yet. */
function responseTo(attempt: CompletionAttempt, ended: CompletionEnd): RouteResponse {
  if ('fault' in ended && ended.chargeId === null) throw ended.fault
  const failure = failureOf(ended)
  const response = 'response' in ended ? ended.response : null
  const more = {
    headers: {
      'Idempotency-Key': attempt.idempotencyKey,
      ...creditsOf(failure),
      ...(response?.isReplay && { 'Idempotent-Replayed': 'true' }),
    },
    isKeyUsed: response?.isStored ?? false,
    ...(response?.isRejection && { isRejection: true as const }),
  }
  if (failure) return errorResponse(failure, more)
  const { body, chargeId } = response!
  if (!attempt.isStream) return { ...more, status: 200, headers: { ...jsonHeaders, ...more.headers }, body }
  return {
    ...more,
    status: 200,
    headers: { ...eventHeaders, ...more.headers },
    body: shortStream(bodyOf(response!) as ChatCompletion, { ...attempt, chargeId }),
  }
}

/** Parses only what comes from the store. */
const bodyOf = ({ value, body }: RelayResponse): object => value ?? JSON.parse(body)

const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' }

interface Failure extends ErrorFacts {
  /** The outcome for the credits. */
  readonly charge: 'released' | 'reserved' | 'settled'
}

/** Null for a settled response. */
function failureOf(ended: CompletionEnd): Failure | null {
  if ('fault' in ended) {
    return ended.chargeId === null
      ? { code: 'INTERNAL_ERROR', charge: 'released' }
      : { code: 'INTERNAL_ERROR', charge: 'reserved', message: unrecorded }
  }
  const { status, code } = ended.response
  if (code !== null) return { code, charge: 'released', ...storedRefusal(status, bodyOf(ended.response)) }
  if (status !== 202) return null
  const isSettled = (bodyOf(ended.response) as { resolution?: string }).resolution === 'settled'
  return {
    code: 'MANUAL_REVIEW',
    charge: isSettled ? 'settled' : 'reserved',
    message: isSettled ? settledByOperator : undefined,
  }
}

const unrecorded =
  'The outcome of this call is not recorded yet. Repeat it with the same Idempotency-Key to get its response.'
const settledByOperator = 'An operator settled this charge after a review; its response was lost.'

function creditsOf(failure: Failure | null): Record<string, string> {
  switch (failure?.charge) {
    case undefined:
    case 'settled':
      return { 'X-Credits-Charged': String(credits) }
    case 'released':
      return { 'X-Credits-Charged': '0' }
    case 'reserved':
      return { 'X-Credits-Reserved': String(credits) }
  }
}

interface ReadAttempt extends CompletionCall {
  readonly prepared: PreparedCall<typeof operation>
  /** Null if the caller sent none. */
  readonly idempotencyKey: string | null
}

/** Returns faults instead of throwing them, because the key is judged first. */
async function readAttempt(deps: CompletionDeps, call: Call): Promise<ReadAttempt | ErrorFacts> {
  try {
    const idempotencyKey = readKey(call)
    const completion = readCompletion(await call.readJson(completionJsonDepth), deps.passesOf)
    const prepared = deps.operations[operation].prepare(completion.request)
    return prepared.refusal ?? { ...completion, prepared, idempotencyKey }
  } catch (error) {
    if (error instanceof ParameterFault) return { code: error.code, param: error.param, message: error.message }
    if (error instanceof Refusal) return { code: error.code, message: error.message }
    throw error
  }
}

/** Null if the caller sent none. */
function readKey(call: Call): string | null {
  const header = call.header('idempotency-key')
  if (header === 'absent') return null
  if (header === 'repeated' || header.value === '' || header.value.length > idempotencyKeyMaxLength)
    throw new Refusal('IDEMPOTENCY_KEY_REQUIRED')
  return header.value
}
