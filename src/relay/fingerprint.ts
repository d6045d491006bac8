import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Increase it when the isolation between projects changes: charges with an older version are never replayed. */
export const isolationVersion = 1

/** Equal requests have equal fingerprints, however their JSON is formatted (RFC 8785). */
export const fingerprint = (request: object): string => hash('sha256', canonical(request), 'base64url')

function canonical(request: object): string {
  try {
    return canonicalize(request)!
  } catch {
    // RFC 8785 has no lone surrogates. They are escaped and wrapped in an object, so that no other request looks the same.
    return canonicalize(JSON.parse(JSON.stringify(request), escapeLoneSurrogates))!
  }
}

const escapeLoneSurrogates = (_: string, value: unknown) =>
  typeof value === 'string' && !value.isWellFormed() ? { escaped: JSON.stringify(value) } : value
