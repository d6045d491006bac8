import { isoOf } from '../../base/time.ts'
import { Refusal } from '../../contract/errors.ts'
import type { AuthResponse, LoginRequest, RegisterRequest, SendCodeRequest } from '../../contract/schemas/identity.ts'
import { endpoint, ok, pathParameter, type ViewDeps, view } from '../../http/endpoint.ts'
import { sessionCookie, setSessionCookie } from '../../http/guards.ts'
import type { Call, ReadRequest, Route, RouteResponse } from '../../http/route.ts'
import { type Authenticated, type IdentityDeps, publicAccount } from './accounts.ts'
import { sendCode } from './challenges.ts'
import { changePassword } from './change-password.ts'
import type {
  ChangePasswordRequest,
  EndedSession,
  RecoveryCodeRequest,
  RecoveryEmailRequest,
  RecoveryRequest,
  SignedOutEverywhere,
  SignInList,
  VerifyEmailRequest,
} from './contract.ts'
import { confirmRecovery, replaceRecoveryEmail, sendEmailCode, sendRecoveryCode, verifyEmail } from './recovery.ts'
import { login, register } from './sign-in.ts'

export interface IdentityRouteDeps extends ViewDeps {
  readonly identity: IdentityDeps
  readonly isSecure: boolean
  readonly sessionLifetimeSeconds: number
}

const requesterOf = (call: Call) => ({ requester: call.requester.network })

/** Registering, signing in and signing out. */
export function signInRoutes({
  operation,
  guards,
  identity,
  isSecure,
  sessionLifetimeSeconds,
}: IdentityRouteDeps): Route[] {
  const cookie = (value: string, maxAgeSeconds: number) => setSessionCookie({ value, maxAgeSeconds, isSecure })

  const signedIn = (call: Call, status: number, { account, session }: Authenticated): RouteResponse => {
    const body: AuthResponse = {
      account: publicAccount(account),
      project: { projectId: account.projectId },
      session: { expiresAt: isoOf(session.expiresAt) },
      csrfToken: session.csrfToken,
      redirectTo: call.isPreview ? '/gateway/console' : '/console',
    }
    return { status, headers: { 'Set-Cookie': cookie(session.token, sessionLifetimeSeconds) }, body }
  }

  return [
    endpoint<SendCodeRequest>(operation('auth.send_code'), async (call, read) => {
      guards.origin(call)
      const request = await guards.requester(call, 'sendCodePerRequester', read)
      return { status: 202, body: await sendCode(identity, request, requesterOf(call)) }
    }),
    endpoint<RegisterRequest>(operation('auth.register'), async (call, read) => {
      guards.origin(call)
      const request = await guards.requester(call, 'registerPerRequester', read)
      return signedIn(call, 201, await register(identity, request, requesterOf(call)))
    }),
    endpoint<LoginRequest>(operation('auth.login'), async (call, read) => {
      guards.origin(call)
      const request = await guards.login(call, read)
      const context = { previousToken: sessionCookie(call), ...requesterOf(call) }
      return signedIn(call, 200, await login(identity, request, context))
    }),
    endpoint(operation('auth.logout'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      await read(call)
      await identity.sessions.end(session)
      return { status: 200, headers: { 'Set-Cookie': cookie('', 0) }, body: { state: 'logged_out' } }
    }),
  ]
}

/** Recovery email, password, and recovery without login. */
export function accountSecurityRoutes({ operation, guards, identity }: IdentityRouteDeps): Route[] {
  /** A session write that tries the password counts for its requester like a login. */
  async function passwordWrite<R>(call: Call, read: ReadRequest<R>) {
    const session = await guards.sessionWrite(call)
    const request = await guards.requester(call, 'loginPerRequester', read)
    return [request, { session, ...requesterOf(call) }] as const
  }

  return [
    endpoint<RecoveryEmailRequest>(operation('console.recovery_email.replace'), async (call, read) => {
      return ok(await replaceRecoveryEmail(identity, ...(await passwordWrite(call, read))))
    }),
    endpoint(operation('console.recovery_email.send_code'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      await read(call)
      return { status: 202, body: await sendEmailCode(identity, { session, ...requesterOf(call) }) }
    }),
    endpoint<VerifyEmailRequest>(operation('console.recovery_email.verify'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      return ok(await verifyEmail(identity, await read(call), { session, ...requesterOf(call) }))
    }),
    endpoint<ChangePasswordRequest>(operation('console.password.change'), async (call, read) => {
      return ok(await changePassword(identity, ...(await passwordWrite(call, read))))
    }),
    endpoint<RecoveryCodeRequest>(operation('auth.recovery.send_code'), async (call, read) => {
      guards.origin(call)
      const request = await guards.requester(call, 'sendCodePerRequester', read)
      return { status: 202, body: await sendRecoveryCode(identity, request, requesterOf(call)) }
    }),
    endpoint<RecoveryRequest>(operation('auth.recovery.confirm'), async (call, read) => {
      guards.origin(call)
      const request = await guards.requester(call, 'loginPerRequester', read)
      return ok(await confirmRecovery(identity, request, requesterOf(call)))
    }),
  ]
}

/** Where an account is signed in, and how to end one sign-in or all. */
export function sessionRoutes(deps: IdentityRouteDeps): Route[] {
  const { operation, guards, isSecure } = deps
  const { sessions } = deps.identity
  const endOne = operation('console.sessions.end')
  const cleared = { 'Set-Cookie': setSessionCookie({ value: '', maxAgeSeconds: 0, isSecure }) }
  return [
    view(deps, 'console.sessions.list', async ({ session }) => {
      const items = (await sessions.list(session.accountId)).map(({ sessionId, createdAt, expiresAt }) => ({
        sessionId,
        createdAt: isoOf(createdAt),
        expiresAt: isoOf(expiresAt),
        isCurrent: sessionId === session.sessionId,
      }))
      return ok({ items } satisfies SignInList)
    }),
    endpoint(operation('console.sessions.end_all'), async (call, read) => {
      const { accountId } = await guards.sessionWrite(call)
      await read(call)
      const body: SignedOutEverywhere = { state: 'logged_out', endedSessions: await sessions.endAll(accountId) }
      return { ...ok(body), headers: cleared }
    }),
    endpoint(endOne, async (call, read) => {
      const session = await guards.sessionWrite(call)
      await read(call)
      const sessionId = pathParameter(endOne, call, 'sessionId')
      if (!(await sessions.endOne(session.accountId, sessionId))) throw new Refusal('NOT_FOUND')
      const body: EndedSession = { sessionId, state: 'logged_out' }
      return { ...ok(body), ...(sessionId === session.sessionId && { headers: cleared }) }
    }),
  ]
}
