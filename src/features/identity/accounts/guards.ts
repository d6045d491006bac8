import { tokenDigest } from '../../../base/signatures.ts'
import { minuteMs } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { Guards, RequesterLimit, SignedIn } from '../../../http/guards.ts'
import { sessionCookie, singleHeader } from '../../../http/guards.ts'
import type { InstanceLimit } from '../../../http/instance-limit.ts'
import { createInstanceLimit } from '../../../http/instance-limit.ts'
import type { Call, ReadRequest } from '../../../http/route.ts'
import type { Limit } from './challenge-store.ts'
import type { Passwords } from './passwords.ts'
import type { RateLimiter } from './rate-limits.ts'
import type { Sessions } from './sessions.ts'

interface GuardDeps {
  readonly origin: string
  readonly sessions: Sessions
  readonly limiter: RateLimiter
  readonly passwords: Pick<Passwords, 'withHashSlot'>
  readonly limits: Readonly<Record<RequesterLimit | 'sessionWritesPerProject', Limit>>
  readonly digestRequester: (network: string) => string
  /** Counts the reads of each session. */
  readonly reads: InstanceLimit
  readonly clock: () => number
}

const csrfMinLength = 10

/** How long a proof of the second factor allows changes in its session. */
export const stepUpMs = 15 * minuteMs

/** A time that is ahead comes from an instance whose clock is ahead: it counts for no longer. */
export const isProven = ({ factorAt }: Pick<SignedIn, 'factorAt'>, now: number): boolean =>
  factorAt !== null && Math.abs(now - factorAt) < stepUpMs

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

  async function sessionWrite(call: Call): Promise<SignedIn> {
    requireOrigin(call)
    const session = await requireSession(call)
    requireCsrf(call, session)
    await limiter.take(`session-writes ${session.projectId}`, limits.sessionWritesPerProject)
    return session
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
    sessionWrite,
    async sensitiveWrite(call) {
      const session = await sessionWrite(call)
      if (session.hasFactor && !isProven(session, clock())) throw new Refusal('STEP_UP_REQUIRED')
      return session
    },
    requester: (call, name, read) => readCounted(call, name, { read, take: limiter.take }),
    login: (call, read) =>
      readCounted(call, 'loginPerRequester', {
        read,
        take: (bucket, limit) => passwords.withHashSlot(() => limiter.take(bucket, limit)),
      }),
  }
}
