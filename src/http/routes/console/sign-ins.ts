import type { EndedSession, SignedOutEverywhere, SignInList } from '../../../contract/console/resources.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { Sessions } from '../../../identity/sessions.ts'
import { endpoint, pathParameter } from '../../endpoint.ts'
import type { Route } from '../../route.ts'
import { setSessionCookie } from '../../session-cookie.ts'
import { ok, type ViewDeps, view } from './view.ts'

export interface SignInRouteDeps extends ViewDeps {
  readonly sessions: Sessions
  readonly isSecure: boolean
}

/** Where an account is signed in, and how to end one sign-in or all. */
export function signInRoutes(deps: SignInRouteDeps): Route[] {
  const { operation, guards, sessions, isSecure } = deps
  const endOne = operation('console.sessions.end')
  const cleared = { 'Set-Cookie': setSessionCookie({ value: '', maxAgeSeconds: 0, isSecure }) }
  return [
    view(deps, 'console.sessions.list', async ({ session }) => {
      const items = (await sessions.list(session.accountId)).map(({ sessionId, createdAt, expiresAt }) => ({
        sessionId,
        createdAt: new Date(createdAt).toISOString(),
        expiresAt: new Date(expiresAt).toISOString(),
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
