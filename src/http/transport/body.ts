import { isUtf8 } from 'node:buffer'
import { Refusal } from '../../contract/errors.ts'
import { isTooDeep } from '../../contract/validate.ts'
import type { HeaderValue } from '../route.ts'

interface Body {
  readonly bytes: Buffer
  readonly contentType: HeaderValue
  readonly contentEncoding: HeaderValue
}

/** Parses a JSON object in UTF-8. `JSON.parse` makes `__proto__` an own property, so validation refuses it as unknown. */
export function parseJsonObject({ bytes, contentType, contentEncoding }: Body): Record<string, unknown> {
  if (contentEncoding !== 'absent' || !isJson(contentType)) throw new Refusal('INVALID_JSON')
  // JSON.parse refuses a byte order mark by itself.
  if (!isUtf8(bytes) || isTooDeep(bytes)) throw new Refusal('INVALID_JSON')
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    // No cause: the parser's message quotes the body.
    throw new Refusal('INVALID_JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refusal('INVALID_JSON')
  return value as Record<string, unknown>
}

function isJson(type: HeaderValue): boolean {
  if (type === 'absent' || type === 'repeated') return false
  return (
    type.value === 'application/json' ||
    /^application\/json[ \t]*(;[ \t]*charset=("?)utf-8\2[ \t]*)?$/i.test(type.value)
  )
}
