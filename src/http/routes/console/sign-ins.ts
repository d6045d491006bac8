import type { SignedOutEverywhere, SignInList } from '../../../contract/console/resources.ts'
import type { Operation } from '../../../contract/operations.ts'
import type { Sessions } from '../../../identity/sessions.ts'
import { endpoint } from '../../endpoint.ts'
import type { Guards } from '../../guards.ts'
import type { Route } from '../../route.ts'
import { setSessionCookie } from '../../session-cookie.ts'

export interface SignInRouteDeps {
  readonly operation: (id: string) => Operation
  readonly guards: Guards
  readonly sessions: Sessions
  readonly isSecure: boolean
}

/** Where an account is signed in, and how to end that everywhere. */
export function signInRoutes({ operation, guards, sessions, isSecure }: SignInRouteDeps): Route[] {
  return [
    endpoint(operation('console.sessions.list'), async (call) => {
      const { accountId, sessionId: current } = await guards.session(call)
      const items = (await sessions.list(accountId)).map(({ sessionId, createdAt, expiresAt }) => ({
        sessionId,
        createdAt: new Date(createdAt).toISOString(),
        expiresAt: new Date(expiresAt).toISOString(),
        isCurrent: sessionId === current,
      }))
      return { status: 200, body: { items } satisfies SignInList }
    }),
    endpoint(operation('console.sessions.end_all'), async (call, read) => {
      const { accountId } = await guards.sessionWrite(call)
      await read(call)
      const body: SignedOutEverywhere = { state: 'logged_out', endedSessions: await sessions.endAll(accountId) }
      return {
        status: 200,
        headers: { 'Set-Cookie': setSessionCookie({ value: '', maxAgeSeconds: 0, isSecure }) },
        body,
      }
    }),
  ]
}
