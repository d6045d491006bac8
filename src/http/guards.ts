import { Refusal } from '../contract/errors.ts'
import { idempotencyKeyMaxLength, sessionCookieName } from '../contract/headers.ts'
import type { Call, ReadRequest } from './route.ts'

/** Checks that run before the body is read; each refuses with its own code. Routes call them in the contract's order. */
export interface Guards {
  /** Browser writes: Origin must match the canonical origin exactly. */
  readonly origin: (call: Call) => void
  /** The session of a read, within the limit of its reads. */
  readonly session: (call: Call) => Promise<SignedIn>
  /** All checks of a session write: Origin, session, CSRF token, rate limit. */
  readonly sessionWrite: (call: Call) => Promise<SignedIn>
  /** The same for sensitive changes: an account with a second factor must have proven it recently. */
  readonly sensitiveWrite: (call: Call) => Promise<SignedIn>
  /** Counts the request against a rate limit of its requester, and reads it; a requester over the limit is refused first. */
  readonly requester: <R>(call: Call, name: RequesterLimit, read: ReadRequest<R>) => Promise<R>
  /** The same for a login. Refused at little cost while too many passwords wait to be checked. */
  readonly login: <R>(call: Call, read: ReadRequest<R>) => Promise<R>
}

export type RequesterLimit = 'sendCodePerRequester' | 'registerPerRequester' | 'loginPerRequester'

/** The value of a header that was sent exactly once. */
export function singleHeader(call: Pick<Call, 'header'>, name: string): string | undefined {
  const header = call.header(name)
  return typeof header === 'object' ? header.value : undefined
}

/** The session token; ignored if the cookie was sent twice. */
export function sessionCookie(call: Call, name: string = sessionCookieName): string | undefined {
  const header = singleHeader(call, 'cookie')
  if (header === undefined) return undefined
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}

export function requireIdempotencyKey(call: Call): string {
  const key = singleHeader(call, 'idempotency-key')
  if (key === undefined || key === '' || key.length > idempotencyKeyMaxLength)
    throw new Refusal('IDEMPOTENCY_KEY_REQUIRED')
  return key
}

interface SessionCookie {
  /** That of payers by default. */
  readonly name?: string
  readonly value: string
  readonly maxAgeSeconds: number
  readonly isSecure: boolean
}

/** The Set-Cookie header that starts a session, or ends it when given an empty value and a Max-Age of 0. */
export function setSessionCookie({ name = sessionCookieName, value, maxAgeSeconds, isSecure }: SessionCookie): string {
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return `${name}=${value}; ${attributes}`
}

export interface SignedIn extends SessionRow {
  readonly sessionDigest: string
  /** Whether its account has a second factor, and when this session last proved it. */
  readonly hasFactor: boolean
  readonly factorAt: number | null
}

export interface SessionRow {
  readonly sessionId: string
  readonly accountId: string
  readonly projectId: string
  readonly csrfDigest: string
  readonly createdAt: number
  readonly expiresAt: number
}
