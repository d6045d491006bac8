import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Raised when what isolates one project from another changes: records of an older version are never replayed. */
export const isolationVersion = 1

/** The same request has the same fingerprint however its JSON was written (RFC 8785). */
export const fingerprint = (request: object): string => hash('sha256', canonicalize(request)!, 'base64url')
