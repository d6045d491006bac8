import type { Operation } from '../../contract/operation.ts'
import type { AuthResponse, LoginRequest, RegisterRequest, SendCodeRequest } from '../../contract/schemas/identity.ts'
import type { Authenticated } from '../../identity/deps.ts'
import { type Identity, publicAccount } from '../../identity/identity.ts'
import type { Sessions } from '../../identity/sessions.ts'
import { endpoint } from '../endpoint.ts'
import { type Guards, sessionCookie } from '../guards.ts'
import type { Call, Route, RouteResponse } from '../route.ts'
import { setSessionCookie } from '../session-cookie.ts'

export interface IdentityRouteDeps {
  readonly operation: (id: string) => Operation
  readonly guards: Guards
  readonly identity: Identity
  readonly sessions: Sessions
  readonly isSecure: boolean
  readonly sessionLifetimeSeconds: number
}

export function identityRoutes({
  operation,
  guards,
  identity,
  sessions,
  isSecure,
  sessionLifetimeSeconds,
}: IdentityRouteDeps): Route[] {
  const cookie = (value: string, maxAgeSeconds: number) => setSessionCookie({ value, maxAgeSeconds, isSecure })

  const signedIn = (call: Call, status: number, { account, session }: Authenticated): RouteResponse => {
    const body: AuthResponse = {
      account: publicAccount(account),
      project: { projectId: account.projectId },
      session: { expiresAt: new Date(session.expiresAt).toISOString() },
      csrfToken: session.csrfToken,
      redirectTo: call.isPreview ? '/gateway/console' : '/console',
    }
    return { status, headers: { 'Set-Cookie': cookie(session.token, sessionLifetimeSeconds) }, body }
  }

  const requesterOf = (call: Call) => ({ requester: call.requester.network })

  return [
    endpoint<SendCodeRequest>(operation('auth.send_code'), async (call, read) => {
      guards.origin(call)
      const request = await guards.requester(call, 'sendCodePerRequester', read)
      return { status: 202, body: await identity.sendCode(request, requesterOf(call)) }
    }),
    endpoint<RegisterRequest>(operation('auth.register'), async (call, read) => {
      guards.origin(call)
      const request = await guards.requester(call, 'registerPerRequester', read)
      return signedIn(call, 201, await identity.register(request, requesterOf(call)))
    }),
    endpoint<LoginRequest>(operation('auth.login'), async (call, read) => {
      guards.origin(call)
      const request = await guards.login(call, read)
      const context = { previousToken: sessionCookie(call), ...requesterOf(call) }
      return signedIn(call, 200, await identity.login(request, context))
    }),
    endpoint(operation('auth.logout'), async (call, read) => {
      const session = await guards.sessionWrite(call)
      await read(call)
      await sessions.end(session)
      return { status: 200, headers: { 'Set-Cookie': cookie('', 0) }, body: { state: 'logged_out' } }
    }),
  ]
}
