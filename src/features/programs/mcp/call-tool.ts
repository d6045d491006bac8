import { monotonicMs } from '../../../base/clock.ts'
import { type ErrorCode, errors, Refusal } from '../../../contract/errors.ts'
import type { Observation, RequestLog } from '../../../http/request-log.ts'
import { logError, observedOf, responseTo } from '../../../http/responder.ts'
import type { Call, HeaderValue, Route, RouteResponse } from '../../../http/route.ts'
import type { Deliveries } from '../../calls/openai/deliveries.ts'
import type { Principal } from '../../identity/keys/authenticate.ts'
import type { McpTool, ToolRun } from './tools.ts'

type ChargedRun = Extract<ToolRun, { kind: 'charged' }>
type WatchedDelivery = ReturnType<Deliveries['watch']>
type FreeRun = Exclude<ToolRun, ChargedRun>

export interface ToolResult {
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
  readonly structuredContent?: object
  readonly isError?: true
  readonly _meta?: object
}

export interface ToolCall {
  readonly principal: Principal
  readonly arguments: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

interface ToolCallDeps {
  /** The routes that plain HTTP calls take. */
  readonly routes: readonly Route[]
  readonly log: Pick<RequestLog, 'failed' | 'refused'>
  readonly deliveries: Pick<Deliveries, 'findLost' | 'watch'>
  /** Counts a call that costs nothing. */
  readonly countRead: (keyId: string) => void
}

/** Calls tools by the handlers of the plain API, so that both have the same rules, prices and accounting. */
export function createToolCaller({ routes, log, deliveries, countRead }: ToolCallDeps) {
  const routeOf = new Map(routes.map((route) => [route.operationId, route]))

  /** The response that plain HTTP would give. */
  async function respond(call: Call, work: () => Promise<RouteResponse> | RouteResponse, finish?: Route['finish']) {
    let response: RouteResponse
    try {
      response = await work()
    } catch (error) {
      logError(log, call.requestId, error)
      response = responseTo(error)
    }
    return finish?.(response, call) ?? response
  }

  /** Clients without an Idempotency-Key repeat a call whose connection broke; it is recognised by its undelivered response. */
  async function charged(call: Call, run: ChargedRun, request: ToolCall): Promise<ToolResult> {
    const route = routeOf.get(run.operationId)!
    const { idempotencyKey: argument, ...body } = request.arguments
    const own = argument ?? request.meta.idempotencyKey
    let key = own
    const response = await respond(
      call,
      async () => {
        if (own !== undefined) return route.handle(standIn(call, { body, key: own }))
        const { keyId } = request.principal
        const asked = { keyId, operation: run.operation, request: body }
        const joined = await deliveries.findLost(asked)
        key = joined?.idempotencyKey ?? call.requestId
        const delivery = deliveries.watch(call, asked, joined)
        return watched(delivery, () => route.handle(standIn(call, { body, key, delivery })))
      },
      route.finish,
    )
    const result = bodyOf(response)
    if (!isDone(response, route)) return failed(response, call, key)
    const credits = Number(result.chargedCredits ?? result.reservedCredits)
    const replayed = response.headers?.['Idempotent-Replayed'] === 'true'
    return done(result, { chargeId: call.charge?.chargeId, credits, replayed, idempotencyKey: key })
  }

  async function free(call: Call, run: FreeRun, { principal, arguments: given }: ToolCall): Promise<ToolResult> {
    const response = await respond(call, async () => {
      countRead(principal.keyId)
      const { parameter } = run
      if (Object.keys(given).some((name) => name !== parameter)) throw new Refusal('UNKNOWN_FIELDS')
      const asked = parameter === null ? '' : given[parameter]
      const value = typeof asked === 'string' ? asked : ''
      if (run.kind === 'free') return { status: 200, body: await run.read(principal, value) }
      return routeOf.get(run.operationId)!.handle(standIn(call, { params: { [run.parameter]: value } }))
    })
    return response.status === 200 ? done(bodyOf(response)) : failed(response)
  }

  return async (call: Call, { scope, run }: McpTool, request: ToolCall): Promise<ToolResult> => {
    if (scope !== null && !request.principal.scopes.includes(scope)) {
      const missing = new Refusal('FORBIDDEN', { explain: `This tool needs the scope ${scope}.` })
      return failed(await respond(call, () => Promise.reject(missing)))
    }
    return run.kind === 'charged' ? charged(call, run, request) : free(call, run, request)
  }
}

async function watched<T>(delivery: WatchedDelivery, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    delivery.failed()
    throw error
  } finally {
    delivery.ended()
  }
}

/** The route, counted as when plain HTTP calls it. */
export const observed = (route: Route, observe: (call: Observation) => void): Route => ({
  ...route,
  async handle(call) {
    const begunMs = monotonicMs()
    const count = (response: RouteResponse) =>
      observe({ operationId: route.operationId, ...observedOf(response), durationMs: monotonicMs() - begunMs })
    try {
      const response = await route.handle(call)
      count(response)
      return response
    } catch (error) {
      count(responseTo(error))
      throw error
    }
  },
})

/** A created video is not finished yet; an operation that responds with 202 is in review. */
const isDone = ({ status }: RouteResponse, { operationId }: Route) =>
  status === 200 || (status === 202 && operationId === 'media.jobs.create')

function bodyOf({ body }: RouteResponse): Record<string, unknown> {
  return (typeof body === 'string' ? JSON.parse(body) : body) as Record<string, unknown>
}

const done = (result: object, meta?: object): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(result) }],
  structuredContent: result,
  ...(meta && { _meta: meta }),
})

/** In words, so that a model can tell its user what to do. */
function failed(response: RouteResponse, call?: Call, idempotencyKey?: unknown): ToolResult {
  const { status, headers = {} } = response
  const body = bodyOf(response)
  const chargeId = call?.charge?.chargeId
  const charge = chargeId === undefined ? {} : { chargeId }
  if (status === 202) return problem(reviewText(chargeId!), { code: 'MANUAL_REVIEW', status, ...charge })
  const { code, message } = body.error as { code: ErrorCode; message: string }
  if (code === 'INTERNAL_ERROR' && chargeId !== undefined)
    return problem(unrecordedText(chargeId, String(idempotencyKey)), { code, status, chargeId, idempotencyKey })
  const wait = headers['retry-after']
  const texts = [
    `${code}: ${message}`,
    headers['limit-source'] === 'key_budget' ? raiseBudget : errors[code].retry,
    // Only a response of the relay says whether its key is used: its charge was released.
    ...(chargeId !== undefined && response.isKeyUsed !== undefined ? ['Nothing was charged.'] : []),
    ...(wait === undefined ? [] : [`Wait ${wait} seconds before trying again.`]),
    ...(chargeId === undefined ? [] : [`The charge is ${chargeId}; get_charge shows its outcome.`]),
  ]
  return problem(texts.join(' '), { code, status, ...charge })
}

const raiseBudget = "Ask the owner to raise this key's budget or to give you another one."

const reviewText = (chargeId: string) =>
  `MANUAL_REVIEW: The call was forwarded, and its outcome is unknown. Its credits stay reserved until an operator decides. Do not repeat it; tell the user, and call get_charge with ${chargeId} later.`

const unrecordedText = (chargeId: string, idempotencyKey: string) =>
  `INTERNAL_ERROR: The outcome of the call is not recorded yet. Repeat it with the idempotencyKey ${idempotencyKey} to get its result; it is charged once. get_charge shows ${chargeId}.`

const problem = (text: string, meta: object): ToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
  _meta: meta,
})

interface Substitutes {
  readonly body?: Record<string, unknown>
  readonly params?: Readonly<Record<string, string>>
  /** The Idempotency-Key. Anything but a text is refused as if it were missing. */
  readonly key?: unknown
  /** Remembers the call until its response is delivered. */
  readonly delivery?: WatchedDelivery
}

/** The equivalent call of the plain API. */
function standIn(call: Call, { body, params = {}, key, delivery }: Substitutes): Call {
  const header = (name: string): HeaderValue => {
    if (name === 'authorization') return call.header(name)
    return name === 'idempotency-key' && typeof key === 'string' ? { value: key } : 'absent'
  }
  return {
    requestId: call.requestId,
    params,
    requester: call.requester,
    isPreview: false,
    query: new URLSearchParams(),
    recognize: () => {},
    noteKey: () => {},
    noteCharge(charge) {
      call.noteCharge(charge)
      delivery?.charged(charge?.chargeId ?? null)
    },
    tracksDelivery: delivery !== undefined,
    watchDelivery: (report) => call.watchDelivery(report),
    get charge() {
      return call.charge
    },
    header,
    readBytes: async () => Buffer.from(JSON.stringify(body ?? {})),
    readJson: async () => body ?? {},
  }
}
