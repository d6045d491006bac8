import type {
  ChangePasswordRequest,
  RecoveryCodeRequest,
  RecoveryEmailRequest,
  RecoveryRequest,
  VerifyEmailRequest,
} from '../../../contract/console/account-security.ts'
import type { Identity } from '../../../identity/identity.ts'
import { endpoint, type ReadRequest } from '../../endpoint.ts'
import type { Call, Route } from '../../route.ts'
import { ok, type ViewDeps } from './view.ts'

export interface AccountSecurityRouteDeps extends ViewDeps {
  readonly identity: Identity
}

/** Recovery email, password, and recovery without login. */
export function accountSecurityRoutes({ operation, guards, identity }: AccountSecurityRouteDeps): Route[] {
  const requesterOf = (call: Call) => ({ requester: call.requester.network })

  /** A session write that tries the password counts for its requester like a login. */
  async function passwordWrite<R>(call: Call, read: ReadRequest<R>) {
    const session = await guards.sessionWrite(call)
    const request = await guards.requester(call, 'loginPerRequester', read)
    return [request, { session, ...requesterOf(call) }] as const
  }

  return [
    endpoint<RecoveryEmailRequest>(operation('console.recovery_email.replace'), async (call, read) => {
      return ok(await identity.replaceRecoveryEmail(...(await passwordWrite(call, read))))
    }),
    endpoint(operation('console.recovery_email.send_code'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      await read(call)
      return { status: 202, body: await identity.sendEmailCode({ session, ...requesterOf(call) }) }
    }),
    endpoint<VerifyEmailRequest>(operation('console.recovery_email.verify'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      return ok(await identity.verifyEmail(await read(call), { session, ...requesterOf(call) }))
    }),
    endpoint<ChangePasswordRequest>(operation('console.password.change'), async (call, read) => {
      return ok(await identity.changePassword(...(await passwordWrite(call, read))))
    }),
    endpoint<RecoveryCodeRequest>(operation('auth.recovery.send_code'), async (call, read) => {
      guards.origin(call)
      const request = await guards.requester(call, 'sendCodePerRequester', read)
      return { status: 202, body: await identity.sendRecoveryCode(request, requesterOf(call)) }
    }),
    endpoint<RecoveryRequest>(operation('auth.recovery.confirm'), async (call, read) => {
      guards.origin(call)
      const request = await guards.requester(call, 'loginPerRequester', read)
      return ok(await identity.confirmRecovery(request, requesterOf(call)))
    }),
  ]
}
