import { newId } from '../../../base/ids.ts'
import { randomBytes } from '../../../base/randomness.ts'
import { isSameDigest, tokenDigest } from '../../../base/signatures.ts'
import type { SignedIn } from '../../../http/guards.ts'
import type { SessionClient } from './client.ts'
import type { AccountStore, AccountWriter } from './store.ts'

export const newToken = () => randomBytes(32).toString('base64url')

interface SessionFacts {
  readonly client?: SessionClient | undefined
  readonly factorAt?: number | null
}

export type Sessions = ReturnType<typeof createSessions>

interface SessionOwner {
  readonly accountId: string
  readonly projectId: string
}

export type OpenedSession = Awaited<ReturnType<Sessions['open']>>

export function createSessions(deps: { store: AccountStore; clock: () => number; lifetimeSeconds: number }) {
  const { store, clock, lifetimeSeconds } = deps
  return {
    /** Opens a session in the transaction of the login or registration. */
    async open(
      tx: AccountWriter,
      { accountId, projectId }: SessionOwner,
      { client, factorAt = null }: SessionFacts = {},
    ) {
      const now = clock()
      const [token, csrfToken] = [newToken(), newToken()]
      const expiresAt = now + lifetimeSeconds * 1000
      await tx.createSession({
        sessionDigest: tokenDigest('session', token),
        sessionId: newId('ses'),
        accountId,
        projectId,
        csrfDigest: tokenDigest('csrf', csrfToken),
        createdAt: now,
        expiresAt,
        factorAt,
        browser: client?.browser ?? null,
        network: client?.network ?? null,
      })
      return { token, csrfToken, expiresAt }
    },
    async find(token: string): Promise<SignedIn | undefined> {
      const sessionDigest = tokenDigest('session', token)
      const session = await store.read((tx) => tx.session(sessionDigest, clock()))
      return session && { ...session, sessionDigest }
    },
    isCsrfToken: (session: SignedIn, token: string) => isSameDigest(session.csrfDigest, tokenDigest('csrf', token)),
    /** Replaces the CSRF token. Undefined if the session is gone. */
    async renewCsrf({ sessionDigest }: SignedIn): Promise<string | undefined> {
      const token = newToken()
      const isRenewed = await store.write((tx) => tx.replaceCsrf(sessionDigest, tokenDigest('csrf', token), clock()))
      return isRenewed ? token : undefined
    },
    end: (session: SignedIn) => store.write((tx) => tx.endSession(session.sessionDigest)),
    /** False if the account has no such session. */
    endOne: (accountId: string, sessionId: string) =>
      store.write((tx) => tx.endSessionById(accountId, sessionId, clock())),
    endAll: (accountId: string) => store.write((tx) => tx.endSessionsOf(accountId)),
    list: (accountId: string) => store.read((tx) => tx.sessionsOf(accountId, clock())),
  }
}
