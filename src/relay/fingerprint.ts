import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Raised when what isolates one project from another changes: records of an older version are never replayed. */
export const isolationVersion = 1

/** The same request has the same fingerprint however its JSON was written (RFC 8785). */
export const fingerprint = (request: object): string => hash('sha256', canonical(request), 'base64url')

function canonical(request: object): string {
  try {
    return canonicalize(request)!
  } catch {
    // JSON can carry half a surrogate pair, RFC 8785 cannot: its escape stands for it, marked as no request writes one.
    return canonicalize(JSON.parse(JSON.stringify(request), escapeHalfPairs))!
  }
}

const escapeHalfPairs = (_: string, value: unknown) =>
  typeof value === 'string' && !value.isWellFormed() ? { escaped: JSON.stringify(value) } : value
