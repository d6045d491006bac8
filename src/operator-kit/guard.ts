import { operatorRefusal } from '../contract/error-codes/operators.ts'
import { Refusal } from '../contract/errors.ts'
import { sessionCookie, singleHeader } from '../http/guards.ts'
import type { Call } from '../http/route.ts'
import { type Actor, actorAt } from './actor.ts'
import type { OperatorOperation } from './operation.ts'
import { roleReason } from './own-reasons.ts'
import { type OperatorRole, permissions, permits } from './roles.ts'

export const operatorCookieName = 'gateway_operator'

/** Who is signed in, as of this request. */
export interface SignedOperator {
  readonly name: string
  readonly role: OperatorRole
  readonly isLocal: boolean
  readonly mustChangePassword: boolean
  /** Whether one-time codes must be set up before anything else. */
  readonly mustEnrolTotp: boolean
  readonly sessionDigest: string
  readonly csrfToken: string
}

interface OperatorGuardDeps {
  /** The origin of a page that the request's Host serves. */
  readonly originOf: (call: Call) => string
  readonly sessions: {
    readonly find: (token: string, how: { readonly isActivity: boolean }) => Promise<SignedOperator | undefined>
    readonly isCsrfToken: (operator: SignedOperator, token: string) => boolean
  }
  /** Counts a write of an operator, and refuses one too many. */
  readonly countWrite: (operatorName: string) => Promise<void>
  readonly recordRefused: (
    actor: Actor,
    refused: { readonly object: string; readonly reason: string },
  ) => Promise<unknown>
}

export type OperatorGuard = ReturnType<typeof createOperatorGuard>

type GuardedOperation = Pick<
  OperatorOperation,
  'id' | 'access' | 'permission' | 'isBeforePasswordChange' | 'isBeforeEnrolment' | 'isPolled'
>

/** What ids and names are made of; anything else is not written to the audit log. */
const plainName = /^[\p{L}\p{N}._-]{1,64}$/u

export function createOperatorGuard({ originOf, sessions, countWrite, recordRefused }: OperatorGuardDeps) {
  function requireOrigin(call: Call): void {
    if (singleHeader(call, 'origin') !== originOf(call)) throw new Refusal('ORIGIN_INVALID')
  }

  async function requireSession(call: Call, isActivity: boolean): Promise<SignedOperator> {
    const token = sessionCookie(call, operatorCookieName)
    const operator = token && (await sessions.find(token, { isActivity }))
    if (!operator) throw operatorRefusal('GATEWAY_AUTH_REQUIRED')
    return operator
  }

  async function requirePermission(call: Call, operator: SignedOperator, { id, permission }: GuardedOperation) {
    if (permission === null || permits(operator.role, permission)) return
    const named = Object.values(call.params)
    const object = named.length > 0 && named.every((value) => plainName.test(value)) ? named.join('/') : id
    const reason = roleReason(operator.role, id)
    await recordRefused(actorAt(operator), { object, reason })
    const needed = permissions[permission]
    throw operatorRefusal('ROLE_NOT_ALLOWED', `Your role is ${operator.role}; this needs ${needed}.`)
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
        if (token === undefined || !sessions.isCsrfToken(operator, token)) throw operatorRefusal('CSRF_INVALID')
      }
      if (operator.mustChangePassword && !operation.isBeforePasswordChange) {
        throw operatorRefusal('PASSWORD_CHANGE_REQUIRED')
      }
      if (operator.mustEnrolTotp && !operation.isBeforePasswordChange && !operation.isBeforeEnrolment) {
        throw operatorRefusal('TOTP_ENROLMENT_REQUIRED')
      }
      if (isWrite) await countWrite(operator.name)
      await requirePermission(call, operator, operation)
      return operator
    },
  }
}
