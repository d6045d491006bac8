import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import { product } from '../../../documents/guide.ts'
import { createRequestLog, type Observation } from '../../../http/request-log.ts'
import type { Call, Route, RouteResponse } from '../../../http/route.ts'
import { defineFeature, type FeatureParts } from '../../../ops/feature.ts'
import { mediaFacts } from '../../calls/media/operations.ts'
import { authenticateCall } from '../../calls/native/routes.ts'
import type { OpenAiParts } from '../../calls/openai/feature.ts'
import type { Principal } from '../../identity/keys/authenticate.ts'
import type { KeysParts } from '../../identity/keys/feature.ts'
import type { KeyApiParts } from '../key-api/feature.ts'
import { createToolCaller, observed, type ToolResult } from './call-tool.ts'
import {
  idOf,
  isObject,
  negotiated,
  parseMessage,
  type RequestId,
  RpcError,
  type RpcMessage,
  readMessage,
  rpcCodes,
  supportedVersions,
} from './protocol.ts'
import { createTools } from './tools.ts'

export interface McpDeps
  extends Pick<KeysParts, 'authenticate'>,
    Pick<KeyApiParts, 'keyApi' | 'countRead'>,
    Pick<OpenAiParts, 'deliveries'> {
  /** The features whose operations are tools. */
  readonly callable: readonly Pick<FeatureParts, 'routes'>[]
  /** Counts their calls: the request of the protocol does not say what was called. */
  readonly observe: (call: Observation) => void
}

const serverInfo = { name: 'api-relay-gateway', title: product.title, version: product.contractVersion }
const capabilities = { tools: {} }
const instructions =
  'Every tool states its price. Read get_balance before a series of calls. Reuse the idempotencyKey when you repeat a call, so that it is not charged again.'
/** How long a client may keep the list of tools. */
const toolsTtlMs = 300_000

/** The Model Context Protocol: the operations as tools for agents. Stateless. */
export const mcpFeature = defineFeature({
  name: 'mcp',
  build({ config, logger, operation }, { authenticate, keyApi, countRead, deliveries, callable, observe }: McpDeps) {
    const { mediaProviders, mediaCreditsPerSecond } = mediaFacts(config)
    const tools = createTools({
      ...{ operation, keyApi, paymentMode: config.paymentMode },
      media: { providers: mediaProviders, creditsPerSecond: mediaCreditsPerSecond },
    })
    const callTool = createToolCaller({
      routes: callable.flatMap(({ routes = [] }) => routes.map((route) => observed(route, observe))),
      log: createRequestLog(logger, () => {}),
      countRead,
      deliveries,
    })

    async function resultOf(call: Call, { method, params, isModern }: RpcMessage, principal: Principal) {
      if (method === 'tools/call') return callNamed(call, params, principal)
      countRead(principal.keyId)
      if (method === 'tools/list') {
        if (params.cursor !== undefined)
          throw new RpcError('invalidParams', 'There is only one page of tools.', { status: 200 })
        const allowed = tools.filter(({ scope }) => scope === null || principal.scopes.includes(scope))
        return {
          tools: allowed.map(({ listed }) => listed),
          ...(isModern && { ttlMs: toolsTtlMs, cacheScope: 'private' }),
        }
      }
      if (isModern && method === 'server/discover') {
        const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
        return { supportedVersions, capabilities, instructions, ttlMs: toolsTtlMs, cacheScope: 'private', _meta }
      }
      if (!isModern && method === 'initialize') {
        return { protocolVersion: negotiated(params.protocolVersion), capabilities, serverInfo, instructions }
      }
      if (!isModern && method === 'ping') return {}
      throw new RpcError('methodNotFound', 'There is no such method.', { status: isModern ? 404 : 200 })
    }

    function callNamed(call: Call, { name, arguments: given = {}, _meta }: RpcMessage['params'], principal: Principal) {
      const tool = tools.find(({ listed }) => listed.name === name)
      if (!tool || !isObject(given)) {
        countRead(principal.keyId)
        const fault = tool ? 'The arguments are not an object.' : 'There is no such tool.'
        throw new RpcError('invalidParams', fault, { status: 200 })
      }
      return callTool(call, tool, { principal, arguments: given, meta: isObject(_meta) ? _meta : {} })
    }

    async function handle(call: Call): Promise<RouteResponse> {
      checkOrigin(call, config.origin.origin)
      const principal = await authenticateCall(authenticate, call, { isCurrent: true })
      let body: unknown
      try {
        body = parseMessage(await call.readBytes())
        const message = readMessage(call, body)
        if (message === null || message.id === undefined) {
          countRead(principal.keyId)
          return { status: 202, body: '' }
        }
        const result = await resultOf(call, message, principal)
        const shown = message.isModern ? { resultType: 'complete', ...result } : result
        return { ...rpcResponse(200, message.id, { result: shown }), ...refusalIn(result) }
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        const { code, message, data, status } = error
        const response = rpcResponse(status, idOf(body), { error: { code, message, ...(data && { data }) } })
        return { ...response, ...(code === rpcCodes.parseError && { code: 'INVALID_JSON' }) }
      }
    }

    const route: Route = { operationId: 'mcp', method: 'POST', path: '/mcp', handle, finish: withChallenge }
    return { routes: [route] }
  },
})

/** The error code of a tool that failed, for log and metrics; the status of the protocol is still 200. */
const refusalIn = (result: object): { readonly code?: ErrorCode } =>
  'isError' in result ? { code: ((result as ToolResult)._meta as { code: ErrorCode }).code } : {}

const rpcResponse = (status: number, id: RequestId | null, content: object): RouteResponse => ({
  status,
  body: { jsonrpc: '2.0', id, ...content },
})

/** Browsers send it; only our own pages may use the keys of their visitors. */
function checkOrigin(call: Call, origin: string): void {
  const header = call.header('origin')
  if (header === 'absent') return
  if (header === 'repeated' || header.value !== origin) throw new Refusal('ORIGIN_INVALID')
}

const withChallenge = (response: RouteResponse): RouteResponse =>
  response.status === 401 ? { ...response, headers: { ...response.headers, 'www-authenticate': 'Bearer' } } : response
