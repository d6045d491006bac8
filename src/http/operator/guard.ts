import type { Administration } from '../../administration/administration.ts'
import { actorAt, type OperatorSessions, type SignedOperator } from '../../administration/operator-sessions.ts'
import { Refusal } from '../../contract/errors.ts'
import { OperatorRefusal } from '../../contract/operator/errors.ts'
import type { OperatorOperation } from '../../contract/operator/operation.ts'
import { permissions, permits } from '../../contract/operator/roles.ts'
import { operatorCookieName } from '../../contract/operator/session.ts'
import type { Limit } from '../../identity/ports.ts'
import type { RateLimiter } from '../../identity/rate-limits.ts'
import { sessionCookie, singleHeader } from '../guards.ts'
import type { Call } from '../route.ts'
import type { OperatorHosts } from './hosts.ts'

export interface OperatorGuardDeps {
  readonly hosts: OperatorHosts
  readonly sessions: OperatorSessions
  readonly limiter: RateLimiter
  /** Writes of one operator. */
  readonly writeLimit: Limit
  readonly recordAudit: Administration['recordAudit']
}

export interface OperatorGuard {
  readonly origin: (call: Call) => void
  /** All checks of an operation before its body is read, in this order. */
  readonly admit: (call: Call, operation: GuardedOperation) => Promise<SignedOperator>
}

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
    const reason = `the role ${operator.role} may not do ${id}`
    await recordAudit(actorAt(operator), { action: 'operator.refused', object, reason })
    const needed = permissions[permission]
    throw new OperatorRefusal('ROLE_NOT_ALLOWED', `Your role is ${operator.role}; this needs ${needed}.`)
  }

  const guard: OperatorGuard = {
    origin: requireOrigin,
    async admit(call, operation) {
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
  return guard
}
