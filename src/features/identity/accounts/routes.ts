import { isoOf } from '../../../base/time.ts'
import { errorBody, errors, Refusal } from '../../../contract/errors.ts'
import type {
  AuthResponse,
  LoginRequest,
  RegisterRequest,
  SendCodeRequest,
} from '../../../contract/schemas/identity.ts'
import { endpoint, ok, pathParameter, type ViewDeps, viewRoute } from '../../../http/endpoint.ts'
import { type RequesterLimit, sessionCookie, setSessionCookie } from '../../../http/guards.ts'
import type { Call, ReadRequest, Route, RouteResponse } from '../../../http/route.ts'
import { type AccountFlowDeps, type Authenticated, publicAccount, type RequestContext } from './accounts.ts'
import { sendCode } from './challenges.ts'
import { changePassword } from './change-password.ts'
import { clientOf } from './client.ts'
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
import { login, type PendingFactor, pendingSignInMs, register } from './sign-in.ts'

export interface SignInRouteDeps extends ViewDeps {
  readonly flows: AccountFlowDeps
  readonly isSecure: boolean
  readonly sessionLifetimeSeconds: number
}

export const requesterOf = (call: Call) => ({ requester: call.requester.network, client: clientOf(call) })

/** Browser writes without a session, within a limit of their requester. */
const openRoute = <R>(
  { operation, guards }: SignInRouteDeps,
  id: string,
  limit: RequesterLimit,
  handle: (request: R, context: RequestContext, call: Call) => Promise<RouteResponse>,
): Route =>
  endpoint<R>(operation(id), async (call, read) => {
    guards.origin(call)
    return handle(await guards.requester(call, limit, read), requesterOf(call), call)
  })

type CookieDeps = Pick<SignInRouteDeps, 'isSecure' | 'sessionLifetimeSeconds'>

/** The response of every sign-in: the account, and the cookie of its new session. */
export const signedInResponse =
  ({ isSecure, sessionLifetimeSeconds }: CookieDeps) =>
  (call: Call, status: number, { account, session }: Authenticated): RouteResponse => {
    const body: AuthResponse = {
      account: publicAccount(account),
      project: { projectId: account.projectId },
      session: { expiresAt: isoOf(session.expiresAt) },
      csrfToken: session.csrfToken,
      redirectTo: call.isPreview ? '/gateway/console' : '/console',
    }
    const cookie = setSessionCookie({ value: session.token, maxAgeSeconds: sessionLifetimeSeconds, isSecure })
    return { status, headers: { 'Set-Cookie': cookie }, body }
  }

/** Names the sign-in that waits for a second factor. */
export const pendingCookieName = 'gateway_sign_in'

/** The password was right: a cookie that scripts cannot read names the sign-in, so that the envelope of errors stays as it is. */
function factorRequired({ pendingToken: value }: PendingFactor, isSecure: boolean): RouteResponse {
  const code = 'SECOND_FACTOR_REQUIRED'
  const cookie = setSessionCookie({
    name: pendingCookieName,
    value,
    maxAgeSeconds: pendingSignInMs / 1000,
    isSecure,
  })
  return { status: errors[code].status, headers: { 'Set-Cookie': cookie }, body: errorBody(code), code }
}

export function signInRoutes(deps: SignInRouteDeps): Route[] {
  const { operation, guards, flows, isSecure } = deps
  const signedIn = signedInResponse(deps)

  return [
    openRoute<SendCodeRequest>(deps, 'auth.send_code', 'sendCodePerRequester', async (request, context) =>
      ok(await sendCode(flows, request, context), 202),
    ),
    openRoute<RegisterRequest>(deps, 'auth.register', 'registerPerRequester', async (request, context, call) =>
      signedIn(call, 201, await register(flows, request, context)),
    ),
    endpoint<LoginRequest>(operation('auth.login'), async (call, read) => {
      guards.origin(call)
      const request = await guards.login(call, read)
      const context = { previousToken: sessionCookie(call), ...requesterOf(call) }
      const result = await login(flows, request, context)
      return 'pendingToken' in result ? factorRequired(result, isSecure) : signedIn(call, 200, result)
    }),
    endpoint(operation('auth.logout'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      await read(call)
      await flows.sessions.end(session)
      return {
        ...ok({ state: 'logged_out' }),
        headers: { 'Set-Cookie': setSessionCookie({ value: '', maxAgeSeconds: 0, isSecure }) },
      }
    }),
  ]
}

export function accountSecurityRoutes(deps: SignInRouteDeps): Route[] {
  const { operation, guards, flows } = deps
  /** A session write that tries the password counts for its requester like a login. */
  async function passwordWrite<R>(call: Call, read: ReadRequest<R>) {
    const session = await guards.sensitiveWrite(call)
    const request = await guards.requester(call, 'loginPerRequester', read)
    return [request, { session, ...requesterOf(call) }] as const
  }

  return [
    endpoint<RecoveryEmailRequest>(operation('console.recovery_email.replace'), async (call, read) =>
      ok(await replaceRecoveryEmail(flows, ...(await passwordWrite(call, read)))),
    ),
    endpoint(operation('console.recovery_email.send_code'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      await read(call)
      return ok(await sendEmailCode(flows, { session, ...requesterOf(call) }), 202)
    }),
    endpoint<VerifyEmailRequest>(operation('console.recovery_email.verify'), async (call, read) => {
      const session = await guards.sensitiveWrite(call)
      return ok(await verifyEmail(flows, await read(call), { session, ...requesterOf(call) }))
    }),
    endpoint<ChangePasswordRequest>(operation('console.password.change'), async (call, read) =>
      ok(await changePassword(flows, ...(await passwordWrite(call, read)))),
    ),
    openRoute<RecoveryCodeRequest>(deps, 'auth.recovery.send_code', 'sendCodePerRequester', async (request, context) =>
      ok(await sendRecoveryCode(flows, request, context), 202),
    ),
    openRoute<RecoveryRequest>(deps, 'auth.recovery.confirm', 'loginPerRequester', async (request, context) =>
      ok(await confirmRecovery(flows, request, context)),
    ),
  ]
}

export function sessionRoutes(deps: SignInRouteDeps): Route[] {
  const { operation, guards, isSecure } = deps
  const { sessions } = deps.flows
  const endOne = operation('console.sessions.end')
  const cleared = { 'Set-Cookie': setSessionCookie({ value: '', maxAgeSeconds: 0, isSecure }) }
  return [
    viewRoute(deps, 'console.sessions.list', async ({ session }) => {
      const items = (await sessions.list(session.accountId)).map((row) => ({
        sessionId: row.sessionId,
        browser: row.browser,
        network: row.network,
        createdAt: isoOf(row.createdAt),
        expiresAt: isoOf(row.expiresAt),
        isCurrent: row.sessionId === session.sessionId,
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
