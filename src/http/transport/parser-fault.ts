import type { ErrorCode } from '../../contract/errors.ts'
import { type HeadRules, isSafeTarget } from './request-head.ts'

/** The error of Node's `clientError` event. Never keep or log the packet: it may contain an API key. */
export interface ParserFault extends Error {
  readonly code?: string
  readonly reason?: string
  readonly rawPacket?: Buffer
  /** Where in the packet the parser stopped. */
  readonly bytesParsed?: number
}

/** The error code for a request head that the parser refused; null when no response is due. */
export function codeForFault(fault: ParserFault, rules: HeadRules): ErrorCode | null {
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
      return checkVisibleHead(visibleHead(fault), rules) ?? codeForFraming(fault)
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
  if (!isSafeTarget(head.target)) return 'REQUEST_TARGET_INVALID'
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
      target: line.slice(methodEnd + 1),
      version: requestLine[1]!,
      headers: end === -1 ? rest : rest.slice(0, end),
      isComplete: end !== -1,
    }
  }
  return null
}
