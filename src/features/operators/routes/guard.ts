import { OperatorRefusal } from '../../../contract/error-codes/operators.ts'
import { Refusal } from '../../../contract/errors.ts'
import { sessionCookie, singleHeader } from '../../../http/guards.ts'
import type { Call } from '../../../http/route.ts'
import type { Limit } from '../../identity/accounts/challenge-store.ts'
import type { RateLimiter } from '../../identity/accounts/rate-limits.ts'
import type { Administration } from '../administration/administration.ts'
import { actorAt, type OperatorSessions, type SignedOperator } from '../administration/operator-sessions.ts'
import type { OperatorOperation } from '../contract/operation.ts'
import { operatorCookieName } from '../contract/operators.ts'
import { roleReason } from '../contract/own-reasons.ts'
import { permissions, permits } from '../contract/roles.ts'

export type OperatorHosts = ReturnType<typeof createOperatorHosts>

/** Behind a proxy the listener also has the host of `proxied`, with its scheme. */
export function createOperatorHosts(proxied: URL | null) {
  const accepted = new Set<string>(proxied ? [proxied.host] : [])
  /** Of a listener on all addresses. */
  let anyAddressPort: number | null = null
  return {
    /** Whether a Host is the listener's own; a foreign one is 421, so that no other name can be bound to this address. */
    accepts: (host: string, localAddress: string | undefined): boolean =>
      accepted.has(host) ||
      (anyAddressPort !== null &&
        localAddress !== undefined &&
        hostsOf(inUrl(localAddress.replace(/^::ffff:/, '')), anyAddressPort).includes(host)),
    /** Adds the names of the address that the listener is bound to. */
    bind({ host, port }: { host: string; port: number }): void {
      if (host === '0.0.0.0' || host === '::') anyAddressPort = port
      for (const name of namesOf(host)) for (const own of hostsOf(name, port)) accepted.add(own)
    },
    /** The origin of a page that the request's Host serves. */
    originOf(call: Pick<Call, 'header'>): string {
      const host = singleHeader(call as Call, 'host') ?? ''
      return host === proxied?.host ? proxied.origin : `http://${host}`
    },
  }
}

const loopbackNames = ['127.0.0.1', '[::1]', 'localhost']

const isLoopbackAddress = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

function namesOf(host: string): string[] {
  if (host === '0.0.0.0' || host === '::') return loopbackNames
  const own = inUrl(host)
  return isLoopbackAddress(host) ? [...loopbackNames, own] : [own]
}

/** As clients write it: without the default port of HTTP. */
const hostsOf = (name: string, port: number) => (port === 80 ? [`${name}:80`, name] : [`${name}:${port}`])

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)

interface OperatorGuardDeps {
  readonly hosts: OperatorHosts
  readonly sessions: OperatorSessions
  readonly limiter: RateLimiter
  /** Writes of one operator. */
  readonly writeLimit: Limit
  readonly recordAudit: Administration['recordAudit']
}

export type OperatorGuard = ReturnType<typeof createOperatorGuard>

type GuardedOperation = Pick<
  OperatorOperation,
  'id' | 'access' | 'permission' | 'isBeforePasswordChange' | 'isBeforeEnrolment' | 'isPolled'
>

/** What ids and names are made of; anything else is not written to the audit log. */
const plainName = /^[\p{L}\p{N}._-]{1,64}$/u

export function createOperatorGuard({ hosts, sessions, limiter, writeLimit, recordAudit }: OperatorGuardDeps) {
  function requireOrigin(call: Call): void {
    if (singleHeader(call, 'origin') !== hosts.originOf(call)) throw new Refusal('ORIGIN_INVALID')
  }

  async function requireSession(call: Call, isActivity: boolean): Promise<SignedOperator> {
    const token = sessionCookie(call, operatorCookieName)
    const operator = token && (await sessions.find(token, { isActivity }))
    if (!operator) throw new OperatorRefusal('GATEWAY_AUTH_REQUIRED')
    return operator
  }

  async function requirePermission(call: Call, operator: SignedOperator, { id, permission }: GuardedOperation) {
    if (permission === null || permits(operator.role, permission)) return
    const named = Object.values(call.params)
    const object = named.length > 0 && named.every((value) => plainName.test(value)) ? named.join('/') : id
    const reason = roleReason(operator.role, id)
    await recordAudit(actorAt(operator), { action: 'operator.refused', object, reason })
    const needed = permissions[permission]
    throw new OperatorRefusal('ROLE_NOT_ALLOWED', `Your role is ${operator.role}; this needs ${needed}.`)
  }

  return {
    origin: requireOrigin,
    /** All checks of an operation before its body is read, in this order. */
    async admit(call: Call, operation: GuardedOperation): Promise<SignedOperator> {
      const isWrite = operation.access === 'session-write'
      if (isWrite) requireOrigin(call)
      const operator = await requireSession(call, !operation.isPolled)
      if (isWrite) {
        const token = singleHeader(call, 'x-csrf-token')
        if (token === undefined || !sessions.isCsrfToken(operator, token)) throw new OperatorRefusal('CSRF_INVALID')
      }
      if (operator.mustChangePassword && !operation.isBeforePasswordChange) {
        throw new OperatorRefusal('PASSWORD_CHANGE_REQUIRED')
      }
      if (operator.mustEnrolTotp && !operation.isBeforePasswordChange && !operation.isBeforeEnrolment) {
        throw new OperatorRefusal('TOTP_ENROLMENT_REQUIRED')
      }
      if (isWrite) await limiter.take(`operator-writes ${operator.name}`, writeLimit)
      await requirePermission(call, operator, operation)
      return operator
    },
  }
}
