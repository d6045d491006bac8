import { isUtf8 } from 'node:buffer'
import { isTooDeep, maxJsonDepth, tooDeep } from '../../../contract/validate.ts'
import { singleHeader } from '../../../http/guards.ts'
import type { Call } from '../../../http/route.ts'

/** The revision without sessions and without a handshake. */
export const modernVersion = '2026-07-28'
/** The newest first. */
const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26']
export const supportedVersions = [modernVersion, ...legacyVersions]

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

export type RequestId = string | number

/** A request of the protocol that cannot be served. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly status: number
  readonly data: object | undefined

  constructor(
    code: keyof typeof rpcCodes,
    message: string,
    { status = 400, data }: { status?: number; data?: object } = {},
  ) {
    super(message)
    this.code = rpcCodes[code]
    this.status = status
    this.data = data
  }
}

export interface RpcMessage {
  readonly method: string
  /** Undefined for a notification. */
  readonly id: RequestId | undefined
  readonly params: Readonly<Record<string, unknown>>
  readonly isModern: boolean
}

type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The id of a message that may be malformed, for the response to it. */
export const idOf = (message: unknown): RequestId | null => {
  const id = isObject(message) ? message.id : null
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : null
}

export function parseMessage(bytes: Uint8Array): unknown {
  const body = Buffer.from(bytes)
  if (isTooDeep(body)) throw new RpcError('parseError', tooDeep(maxJsonDepth))
  try {
    if (isUtf8(body)) return JSON.parse(body.toString('utf8'))
  } catch {
    // The parser's message quotes the body.
  }
  throw new RpcError('parseError', 'The body is not JSON.')
}

/** Null for a response: this server asks its clients nothing. */
export function readMessage(call: Call, message: unknown): RpcMessage | null {
  if (!isObject(message)) throw new RpcError('invalidRequest', 'The body must be one JSON-RPC message.')
  const { jsonrpc, method, params } = message
  const hasId = 'id' in message
  const isWellFormed = jsonrpc === '2.0' && (!hasId || idOf(message) !== null)
  if (isWellFormed && hasId && method === undefined && ('result' in message || 'error' in message)) return null
  if (!isWellFormed || typeof method !== 'string' || (params !== undefined && !isObject(params))) {
    throw new RpcError('invalidRequest', 'The body is not a JSON-RPC 2.0 request.')
  }
  const id = hasId ? idOf(message)! : undefined
  const claimed = isObject(params?._meta) ? params._meta[versionKey] : undefined
  const isModern = singleHeader(call, versionHeader) === modernVersion || claimed !== undefined
  if (isModern) checkModern(call, { method, params, claimed, isNotification: !hasId })
  else checkLegacy(call)
  return { method, id, params: params ?? {}, isModern }
}

const versionHeader = 'mcp-protocol-version'
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** Without the header, the client predates it. */
function checkLegacy(call: Call): void {
  const header = call.header(versionHeader)
  if (header === 'absent') return
  const version = typeof header === 'object' ? header.value : ''
  if (!legacyVersions.includes(version)) throw unsupported(version)
}

interface Claims {
  readonly method: string
  readonly params: JsonObject | undefined
  readonly claimed: unknown
  readonly isNotification: boolean
}

/** The headers repeat what is in the body, so that proxies can route by them; they must not differ. */
function checkModern(call: Call, { method, params, claimed, isNotification }: Claims): void {
  const version = singleHeader(call, versionHeader)
  // Notifications have no envelope.
  const expected = claimed ?? (isNotification ? version : undefined)
  if (version === undefined || version !== expected) throw mismatch('MCP-Protocol-Version')
  if (version !== modernVersion) throw unsupported(version)
  const named = singleHeader(call, 'mcp-method')
  if (named !== method && !(isNotification && named === undefined)) throw mismatch('Mcp-Method')
  if (method === 'tools/call' && typeof params?.name === 'string' && nameOf(call) !== params.name) {
    throw mismatch('Mcp-Name')
  }
}

/** A name that is no plain header value is sent in base64. */
function nameOf(call: Call): string | undefined {
  const value = singleHeader(call, 'mcp-name')
  const encoded = value === undefined ? null : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)
  return encoded ? Buffer.from(encoded[1]!, 'base64').toString('utf8') : value
}

const mismatch = (header: string) =>
  new RpcError('headerMismatch', `The header ${header} is missing or differs from the body.`)

const unsupported = (requested: string) =>
  new RpcError('unsupportedVersion', 'This version of the protocol is not supported.', {
    data: { supported: supportedVersions, requested },
  })

/** The version that a handshake settles on. */
export const negotiated = (asked: unknown): string =>
  typeof asked === 'string' && legacyVersions.includes(asked) ? asked : legacyVersions[0]!
