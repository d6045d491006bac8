import { randomBytes } from 'node:crypto'
import { newId } from '../../base/ids.ts'
import { isSameDigest, tokenDigest } from '../../base/signatures.ts'
import type { SessionRow, SignedIn } from '../../http/guards.ts'
import type { IdentityStore, IdentityWriter } from './ports.ts'

export interface OpenedSession {
  readonly token: string
  readonly csrfToken: string
  readonly expiresAt: number
}

export interface Sessions {
  /** Opens a session in the transaction of the login or registration. */
  readonly open: (tx: IdentityWriter, owner: { accountId: string; projectId: string }) => Promise<OpenedSession>
  readonly find: (token: string) => Promise<SignedIn | undefined>
  readonly isCsrfToken: (session: SignedIn, token: string) => boolean
  /** Replaces the CSRF token. Undefined if the session is gone. */
  readonly renewCsrf: (session: SignedIn) => Promise<string | undefined>
  readonly end: (session: SignedIn) => Promise<void>
  /** False if the account has no such session. */
  readonly endOne: (accountId: string, sessionId: string) => Promise<boolean>
  readonly endAll: (accountId: string) => Promise<number>
  readonly list: (accountId: string) => Promise<SessionRow[]>
}

const newToken = () => randomBytes(32).toString('base64url')

export function createSessions(deps: { store: IdentityStore; clock: () => number; lifetimeSeconds: number }): Sessions {
  const { store, clock, lifetimeSeconds } = deps
  return {
    async open(tx, owner) {
      const now = clock()
      const [token, csrfToken] = [newToken(), newToken()]
      const expiresAt = now + lifetimeSeconds * 1000
      await tx.createSession({
        sessionDigest: tokenDigest('session', token),
        sessionId: newId('ses'),
        ...owner,
        csrfDigest: tokenDigest('csrf', csrfToken),
        createdAt: now,
        expiresAt,
      })
      return { token, csrfToken, expiresAt }
    },
    async find(token) {
      const sessionDigest = tokenDigest('session', token)
      const session = await store.read((tx) => tx.session(sessionDigest, clock()))
      return session && { ...session, sessionDigest }
    },
    isCsrfToken: (session, token) => isSameDigest(session.csrfDigest, tokenDigest('csrf', token)),
    async renewCsrf(session) {
      const token = newToken()
      const renewed = await store.write((tx) =>
        tx.replaceCsrf(session.sessionDigest, tokenDigest('csrf', token), clock()),
      )
      return renewed && token
    },
    end: (session) => store.write((tx) => tx.endSession(session.sessionDigest)),
    endOne: (accountId, sessionId) => store.write((tx) => tx.endSessionById(accountId, sessionId, clock())),
    endAll: (accountId) => store.write((tx) => tx.endSessionsOf(accountId)),
    list: (accountId) => store.read((tx) => tx.sessionsOf(accountId, clock())),
  }
}
