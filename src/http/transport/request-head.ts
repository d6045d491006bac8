import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../contract/errors.ts'

/** Whether the target is an origin-form path that every proxy and server reads the same way. */
export function isSafeTarget(target: string, escapedSlashUnder: readonly string[] = []): boolean {
  if (!plainTarget.test(target)) return false
  const path = target.split('?', 1)[0]!
  if (!suspicious.test(path)) return true
  const takesSlash = escapedSlashUnder.some((prefix) => path.startsWith(prefix))
  return (takesSlash ? path.replace(/%2f/gi, '/') : path).split('/').every(isSafeSegment)
}

/** Printable ASCII without backslash or fragment; no leading `//`, which names a host. */
const plainTarget = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/
/** Percent escapes and possible dot segments need a closer look. */
const suspicious = /%|\/\./

/** Checks the decoded segment: separators, control characters and dot segments are unsafe even when escaped. */
function isSafeSegment(segment: string): boolean {
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch {
    return false
  }
  if (/[\u0000-\u001f\u007f-\u009f/\\?#]/.test(decoded)) return false
  // Some servers cut a segment at the semicolon before resolving dots.
  const name = decoded.split(';', 1)[0]
  return name !== '.' && name !== '..'
}

export interface HeadRules {
  /** The accepted Host, compared exactly. */
  readonly host: string
  /** Whether a listener that has several names also serves this one, on a connection to this local address. */
  readonly acceptsHost?: (host: string, localAddress: string | undefined) => boolean
  /** Paths that are served under any Host. */
  readonly anyHostPaths?: ReadonlySet<string>
  readonly bodyLimitBytes: number
  /** The starts of paths whose rest is a name that may have a slash, escaped or not. */
  readonly escapedSlashUnder?: readonly string[]
  /** Of paths that take larger bodies. */
  readonly largerBodies?: ReadonlyMap<string, number>
}

interface HeadCheck {
  readonly refusal: ErrorCode | null
  /** Replaces the usual one of the refusal. */
  readonly message?: string
  readonly contentLength: number
  /** Whether the connection must close after this request, because the parser may misread what follows. */
  readonly isLast: boolean
}

/** Checks request line and headers in the contract's order: host, target, framing. */
export function checkHead(request: IncomingMessage, rules: HeadRules): HeadCheck {
  const raw = request.rawHeaders
  if (raw.length > maxHeaderLines * 2) return refused('REQUEST_HEADERS_TOO_LARGE')
  let host: string | undefined
  let length: string | undefined
  let isHostRepeated = false
  let isLengthRepeated = false
  let hasTransferEncoding = false
  let hasExpect = false
  let hasUpgrade = false
  let isClean = true
  for (let i = 0; i < raw.length; i += 2) {
    const value = raw[i + 1]!
    if (isClean && unprintable.test(value)) isClean = false
    switch (knownHeader(raw[i]!)) {
      case 'host':
        if (host !== undefined) isHostRepeated = true
        host = value
        break
      case 'content-length':
        if (length !== undefined) isLengthRepeated = true
        length = value
        break
      case 'transfer-encoding':
        hasTransferEncoding = true
        break
      case 'expect':
        // Repeated, or an expectation we do not know.
        if (hasExpect || value.toLowerCase() !== '100-continue') isClean = false
        hasExpect = true
        break
      case 'upgrade':
        hasUpgrade = true
        break
    }
  }
  const isCurrent = request.httpVersionMajor === 1 && request.httpVersionMinor === 1
  // Older versions need no Host, so there the version is refused instead.
  if (
    isHostRepeated ||
    (host !== rules.host && (isCurrent || host !== undefined) && !isOtherHost(host, request, rules))
  )
    return refused('HOST_NOT_ALLOWED')
  if (request.method === 'CONNECT') return refused('METHOD_NOT_ALLOWED')
  if (!isSafeTarget(request.url!, rules.escapedSlashUnder)) return refused('REQUEST_TARGET_INVALID')
  if (hasTransferEncoding) return refused('TRANSFER_ENCODING_UNSUPPORTED')
  if (!isCurrent) return refused('HTTP_VERSION_UNSUPPORTED')
  if (!isClean) return refused('REQUEST_HEADERS_INVALID')
  if (isLengthRepeated) return refused('CONTENT_LENGTH_INVALID')
  const fault = checkLength(request, length, rules)
  if (fault !== null) return { ...refused(fault.code), ...(fault.message !== undefined && { message: fault.message }) }
  // After an ignored upgrade the parser drops the rest of the packet and would resume in the middle of a request.
  return { refusal: null, contentLength: length === undefined ? 0 : Number(length), isLast: hasUpgrade }
}

const isOtherHost = (host: string | undefined, { url, socket }: IncomingMessage, rules: HeadRules) =>
  host !== undefined &&
  (rules.acceptsHost?.(host, socket.localAddress) || rules.anyHostPaths?.has(url!.split('?', 1)[0]!) || false)

const refused = (refusal: ErrorCode): HeadCheck => ({ refusal, contentLength: 0, isLast: true })

const maxHeaderLines = 100

type KnownHeader = 'host' | 'content-length' | 'transfer-encoding' | 'expect' | 'upgrade'

/** Switches on the length first, so that most names cost one comparison. */
function knownHeader(name: string): KnownHeader | undefined {
  switch (name.length) {
    case 4:
      return name.toLowerCase() === 'host' ? 'host' : undefined
    case 6:
      return name.toLowerCase() === 'expect' ? 'expect' : undefined
    case 7:
      return name.toLowerCase() === 'upgrade' ? 'upgrade' : undefined
    case 14:
      return name.toLowerCase() === 'content-length' ? 'content-length' : undefined
    case 17:
      return name.toLowerCase() === 'transfer-encoding' ? 'transfer-encoding' : undefined
    default:
      return undefined
  }
}

function checkLength(
  { method, url }: IncomingMessage,
  length: string | undefined,
  { bodyLimitBytes, largerBodies }: HeadRules,
): { readonly code: ErrorCode; readonly message?: string } | null {
  if (length === undefined) return method === 'POST' ? invalidLength : null
  if (!plainDecimal.test(length)) return invalidLength
  if (length !== '0' && (method === 'GET' || method === 'HEAD'))
    return { ...invalidLength, message: `A ${method} request has no body.` }
  if (Number(length) <= bodyLimitBytes) return null
  const limitBytes = Math.max(bodyLimitBytes, largerBodies?.get(url!.split('?', 1)[0]!) ?? 0)
  if (Number(length) <= limitBytes) return null
  const message = `The request body has ${length} bytes; at most ${limitBytes} are accepted here.`
  return { code: 'PAYLOAD_TOO_LARGE', message }
}

const invalidLength = { code: 'CONTENT_LENGTH_INVALID' } as const

const plainDecimal = /^(?:0|[1-9][0-9]{0,15})$/
const unprintable = /[^\t\x20-\x7e]/

/** The error of Node's `clientError` event. Never keep or log the packet: it may contain an API key. */
export interface ParserFault extends Error {
  readonly code?: string
  readonly reason?: string
  readonly rawPacket?: Buffer
  /** Where in the packet the parser stopped. */
  readonly bytesParsed?: number
}

/** A request that is refused before it is routed. */
export interface HeadRefusal {
  readonly code: ErrorCode
  readonly method: string
  /** Null if the head could not be read as far as that. */
  readonly target: string | null
  /** Replaces that of the code. */
  readonly message?: string | undefined
}

/** How to refuse a request head that the parser refused; null when no response is due. */
export function refusalForFault(fault: ParserFault, rules: HeadRules): HeadRefusal | null {
  const head = visibleHead(fault)
  const code = codeForFault(fault, head, rules)
  return code && { code, method: head?.method ?? 'unknown', target: head?.target ?? null }
}

function codeForFault(fault: ParserFault, head: VisibleHead | null, rules: HeadRules): ErrorCode | null {
  switch (fault.code) {
    case 'HPE_INVALID_EOF_STATE':
      return null
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'REQUEST_TIMEOUT'
    case 'HPE_HEADER_OVERFLOW':
      return 'REQUEST_HEADERS_TOO_LARGE'
    case 'HPE_PAUSED_H2_UPGRADE':
      return 'HTTP_VERSION_UNSUPPORTED'
    case 'HPE_INVALID_VERSION':
      return fault.reason === 'Invalid HTTP version' ? 'HTTP_VERSION_UNSUPPORTED' : 'REQUEST_HEADERS_INVALID'
    case 'HPE_INVALID_METHOD':
    case 'HPE_CLOSED_CONNECTION':
      return 'REQUEST_HEADERS_INVALID'
    default:
      return checkVisibleHead(head, rules) ?? codeForFraming(fault)
  }
}

function codeForFraming({ code, reason }: ParserFault): ErrorCode {
  if (code === 'HPE_INVALID_URL') return 'REQUEST_TARGET_INVALID'
  if (code === 'HPE_INVALID_TRANSFER_ENCODING') return 'TRANSFER_ENCODING_UNSUPPORTED'
  if (code === 'HPE_INVALID_CONTENT_LENGTH' || code === 'HPE_UNEXPECTED_CONTENT_LENGTH') {
    return reason?.includes('Transfer-Encoding') ? 'TRANSFER_ENCODING_UNSUPPORTED' : 'CONTENT_LENGTH_INVALID'
  }
  return 'REQUEST_HEADERS_INVALID'
}

interface VisibleHead {
  /** One that routes have; null for any other text. */
  readonly method: string | null
  readonly target: string
  readonly version: string
  readonly headers: readonly string[]
  readonly isComplete: boolean
}

/** Checks in the same order as `checkHead`. */
function checkVisibleHead(head: VisibleHead | null, rules: HeadRules): ErrorCode | null {
  if (head === null) return null
  const hosts = valuesOf(head, 'host')
  const isWrongHost = hosts.length > 1 || (hosts.length === 1 && hosts[0] !== rules.host)
  if (isWrongHost || (hosts.length === 0 && head.isComplete && head.version === '1.1')) return 'HOST_NOT_ALLOWED'
  if (!isSafeTarget(head.target, rules.escapedSlashUnder)) return 'REQUEST_TARGET_INVALID'
  if (valuesOf(head, 'transfer-encoding').length > 0) return 'TRANSFER_ENCODING_UNSUPPORTED'
  return head.version === '1.1' ? null : 'HTTP_VERSION_UNSUPPORTED'
}

const valuesOf = (head: VisibleHead, name: string) =>
  head.headers
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const)
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value.trim())

/** The request head at the fault, as far as this packet contains it; earlier packets are gone. */
function visibleHead({ rawPacket, bytesParsed = 0 }: ParserFault): VisibleHead | null {
  if (rawPacket === undefined) return null
  const lines = rawPacket.toString('latin1').split('\n')
  let index = 0
  for (let at = lines[0]!.length; at < bytesParsed && index < lines.length - 1; at += lines[index]!.length + 1) index++
  for (; index >= 0; index--) {
    const requestLine = / HTTP\/(\d\.\d)\r?$/.exec(lines[index]!)
    if (requestLine === null) continue
    const rest = lines.slice(index + 1).map((line) => line.replace(/\r$/, ''))
    const end = rest.indexOf('')
    const line = lines[index]!.slice(0, requestLine.index)
    // The previous request's body may precede the method on the same line.
    const methodEnd = /^[A-Z-]+ /.test(line) ? line.indexOf(' ') : line.lastIndexOf(' ')
    return {
      method: /(?:GET|HEAD|POST)$/.exec(line.slice(0, methodEnd))?.[0] ?? null,
      target: line.slice(methodEnd + 1),
      version: requestLine[1]!,
      headers: end === -1 ? rest : rest.slice(0, end),
      isComplete: end !== -1,
    }
  }
  return null
}
