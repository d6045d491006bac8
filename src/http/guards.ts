import { createInstanceLimit, type InstanceLimit } from '../base/rate-window.ts'
import { Refusal } from '../contract/errors.ts'
import { idempotencyKeyMaxLength, sessionCookieName } from '../contract/headers.ts'
import { tokenDigest } from '../features/accounts/contacts.ts'
import type { Passwords } from '../features/accounts/passwords.ts'
import type { Limit } from '../features/accounts/ports.ts'
import type { RateLimiter } from '../features/accounts/rate-limits.ts'
import type { Sessions, SignedIn } from '../features/accounts/sessions.ts'
import type { ReadRequest } from './endpoint.ts'
import type { Call } from './route.ts'

/** Checks that run before the body is read; each refuses with its own code. Routes call them in the contract's order. */
export interface Guards {
  /** Browser writes: Origin must match the canonical origin exactly. */
  readonly origin: (call: Call) => void
  /** The session of a read, within the limit of its reads. */
  readonly session: (call: Call) => Promise<SignedIn>
  /** All checks of a session write: Origin, session, CSRF token, rate limit. */
  readonly sessionWrite: (call: Call) => Promise<SignedIn>
  /** Counts the request against a rate limit of its requester, and reads it; a requester over the limit is refused first. */
  readonly requester: <R>(call: Call, name: RequesterLimit, read: ReadRequest<R>) => Promise<R>
  /** The same for a login. Refused at little cost while too many passwords wait to be checked. */
  readonly login: <R>(call: Call, read: ReadRequest<R>) => Promise<R>
}

type RequesterLimit = 'sendCodePerRequester' | 'registerPerRequester' | 'loginPerRequester'

interface GuardDeps {
  readonly origin: string
  readonly sessions: Sessions
  readonly limiter: RateLimiter
  readonly passwords: Pick<Passwords, 'withPlace'>
  readonly limits: Readonly<Record<RequesterLimit | 'sessionWritesPerProject', Limit>>
  readonly digestRequester: (network: string) => string
  /** Counts the reads of each session. */
  readonly reads: InstanceLimit
  readonly clock: () => number
}

const csrfMinLength = 10

export function createGuards(deps: GuardDeps): Guards {
  const { origin, sessions, limiter, passwords, limits, digestRequester, reads, clock } = deps
  /** What this instance saw of each requester, malformed requests among it. */
  const attemptsOf: Record<RequesterLimit, InstanceLimit> = {
    sendCodePerRequester: createInstanceLimit({ limit: limits.sendCodePerRequester, clock }),
    registerPerRequester: createInstanceLimit({ limit: limits.registerPerRequester, clock }),
    loginPerRequester: createInstanceLimit({ limit: limits.loginPerRequester, clock }),
  }

  /** Only a well-formed request is counted in the store: that costs a transaction, which a malformed one must not. */
  async function readCounted<R>(
    call: Call,
    name: RequesterLimit,
    { read, take }: { read: ReadRequest<R>; take: (bucket: string, limit: Limit) => Promise<void> },
  ): Promise<R> {
    const bucket = `${name} ${digestRequester(call.requester.network)}`
    const attempts = attemptsOf[name]
    limiter.refuseExhausted(bucket, limits[name])
    attempts.check(bucket)
    const request = await read(call).catch((fault) => {
      // Again, because requests that were sent together were all read first.
      attempts.check(bucket)
      attempts.count(bucket)
      throw fault
    })
    await take(bucket, limits[name])
    attempts.count(bucket)
    return request
  }

  function requireOrigin(call: Call): void {
    if (singleHeader(call, 'origin') !== origin) throw new Refusal('ORIGIN_INVALID')
  }

  async function requireSession(call: Call): Promise<SignedIn> {
    const token = sessionCookie(call)
    const session = token && (await sessions.find(token))
    if (!session) throw new Refusal('GATEWAY_AUTH_REQUIRED')
    return session
  }

  function requireCsrf(call: Call, session: SignedIn): void {
    const token = singleHeader(call, 'x-csrf-token')
    if (token === undefined || token.length < csrfMinLength || !sessions.isCsrfToken(session, token)) {
      throw new Refusal('CSRF_INVALID')
    }
  }

  return {
    origin: requireOrigin,
    async session(call) {
      const token = sessionCookie(call)
      // Before the session is looked up, so that a refusal reads nothing.
      if (token) reads.check(tokenDigest('session', token))
      const session = await requireSession(call)
      reads.count(session.sessionDigest)
      return session
    },
    async sessionWrite(call) {
      requireOrigin(call)
      const session = await requireSession(call)
      requireCsrf(call, session)
      await limiter.take(`session-writes ${session.projectId}`, limits.sessionWritesPerProject)
      return session
    },
    requester: (call, name, read) => readCounted(call, name, { read, take: limiter.take }),
    login: (call, read) =>
      readCounted(call, 'loginPerRequester', {
        read,
        take: (bucket, limit) => passwords.withPlace(() => limiter.take(bucket, limit)),
      }),
  }
}

/** The value of a header that was sent exactly once. */
export function singleHeader(call: Call, name: string): string | undefined {
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
