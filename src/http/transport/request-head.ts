import type { IncomingMessage } from 'node:http'
import type { ErrorCode } from '../../contract/errors.ts'
import { isSafeTarget } from './request-target.ts'

export interface HeadRules {
  /** The only Host that is served, compared exactly. */
  readonly host: string
  readonly bodyLimitBytes: number
}

export interface HeadVerdict {
  readonly refusal: ErrorCode | null
  readonly contentLength: number
  /** The parser cannot be trusted with what follows this request on the socket. */
  readonly isLast: boolean
}

/** Judges everything that the request line and the headers show, in the order of the contract: host, target, framing. */
export function judgeHead(request: IncomingMessage, rules: HeadRules): HeadVerdict {
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
        // Said twice or in other words, nobody knows what the client waits for.
        if (hasExpect || value.toLowerCase() !== '100-continue') isClean = false
        hasExpect = true
        break
      case 'upgrade':
        hasUpgrade = true
        break
    }
  }
  const isCurrent = request.httpVersionMajor === 1 && request.httpVersionMinor === 1
  // Older versions need no Host: there the version is the fault.
  if (isHostRepeated || (host !== rules.host && (isCurrent || host !== undefined))) return refused('HOST_NOT_ALLOWED')
  if (request.method === 'CONNECT') return refused('METHOD_NOT_ALLOWED')
  if (!isSafeTarget(request.url!)) return refused('REQUEST_TARGET_INVALID')
  if (hasTransferEncoding) return refused('TRANSFER_ENCODING_UNSUPPORTED')
  if (!isCurrent) return refused('HTTP_VERSION_UNSUPPORTED')
  if (!isClean) return refused('REQUEST_HEADERS_INVALID')
  if (isLengthRepeated) return refused('CONTENT_LENGTH_INVALID')
  const fault = judgeLength(request.method!, length, rules.bodyLimitBytes)
  if (fault !== null) return refused(fault)
  // Behind an upgrade that is not taken the parser drops the rest of the packet, and would begin in the midst of a request.
  return { refusal: null, contentLength: length === undefined ? 0 : Number(length), isLast: hasUpgrade }
}

const refused = (refusal: ErrorCode): HeadVerdict => ({ refusal, contentLength: 0, isLast: true })

const maxHeaderLines = 100

type KnownHeader = 'host' | 'content-length' | 'transfer-encoding' | 'expect' | 'upgrade'

/** Sorted by length first, so that most names cost one comparison. */
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

function judgeLength(method: string, length: string | undefined, limitBytes: number): ErrorCode | null {
  if (length === undefined) return method === 'POST' ? 'CONTENT_LENGTH_INVALID' : null
  if (!plainDecimal.test(length)) return 'CONTENT_LENGTH_INVALID'
  if (length !== '0' && (method === 'GET' || method === 'HEAD')) return 'CONTENT_LENGTH_INVALID'
  return Number(length) > limitBytes ? 'PAYLOAD_TOO_LARGE' : null
}

/** `0`, or up to 16 digits of which the first is not zero. */
const plainDecimal = /^(?:0|[1-9][0-9]{0,15})$/
const unprintable = /[^\t\x20-\x7e]/
