import { randomBytes } from '../../../base/randomness.ts'
import { isSameDigest, tokenDigest } from '../../../base/signatures.ts'
import type { SignedOperator } from '../../../operator-kit/guard.ts'
import type { AdministrationStore, AdministrationWriter } from '../store.ts'

export interface OpenedOperatorSession {
  readonly token: string
  readonly csrfToken: string
}

const idleSeconds = 1800
export const longestSeconds = 43_200
/** A session that was just used is not written again. */
const touchAfterMs = 10_000

export type OperatorSessions = ReturnType<typeof createOperatorSessions>

interface OperatorSessionDeps {
  readonly store: AdministrationStore
  readonly clock: () => number
  /** Whether the local administrator may be signed in: on a loopback origin. */
  readonly allowsLocal: boolean
  /** Whether every operator needs one-time codes: on a public origin. */
  readonly requiresTotp: boolean
}

export function createOperatorSessions({ store, clock, allowsLocal, requiresTotp }: OperatorSessionDeps) {
  return {
    /** Within the transaction of the sign-in. */
    async open(
      tx: Pick<AdministrationWriter, 'insertOperatorSession'>,
      { name, isLocal }: Pick<SignedOperator, 'name' | 'isLocal'>,
    ): Promise<OpenedOperatorSession> {
      const token = randomBytes(32).toString('base64url')
      const csrfToken = csrfTokenOf(token)
      const now = clock()
      await tx.insertOperatorSession({
        sessionDigest: tokenDigest('operator-session', token),
        name,
        isLocal,
        csrfDigest: tokenDigest('csrf', csrfToken),
        createdAt: now,
        expiresAt: now + longestSeconds * 1000,
      })
      return { token, csrfToken }
    },
    /** Undefined if there is none, it was idle for too long, or its operator is disabled. */
    async find(token: string, { isActivity }: { isActivity: boolean }): Promise<SignedOperator | undefined> {
      const sessionDigest = tokenDigest('operator-session', token)
      const row = await store.read((tx) => tx.operatorSession(sessionDigest))
      const now = clock()
      if (!row || row.disabledAt !== null || now >= row.expiresAt || now - row.lastSeenAt >= idleSeconds * 1000) {
        return undefined
      }
      const role = row.isLocal ? (allowsLocal ? 'admin' : null) : row.role
      if (role === null) return undefined
      if (isActivity && now - row.lastSeenAt >= touchAfterMs) {
        await store.write((tx) => tx.touchOperatorSession(sessionDigest, now))
      }
      const { name, isLocal, mustChangePassword } = row
      const mustEnrolTotp = requiresTotp && !isLocal && !row.isTotpEnrolled
      return { name, role, isLocal, mustChangePassword, mustEnrolTotp, sessionDigest, csrfToken: csrfTokenOf(token) }
    },
    isCsrfToken: ({ csrfToken }: SignedOperator, token: string) => isSameDigest(csrfToken, token),
    /** Ends the session that a browser had before it signed in again. */
    endToken: (token: string) => store.write((tx) => tx.endOperatorSession(tokenDigest('operator-session', token))),
    end: ({ sessionDigest }: SignedOperator) => store.write((tx) => tx.endOperatorSession(sessionDigest)),
  }
}

/** Made of the session's token, so that all tabs of a browser have the same one. */
const csrfTokenOf = (token: string) => tokenDigest('operator-csrf', token)

export type SignInLinks = ReturnType<typeof createSignInLinks>

const lifetimeMs = 600_000

/** One-time sign-in links of this process: each is good once and for 10 minutes. Only the newest counts. */
export function createSignInLinks(clock: () => number) {
  let link: { readonly digest: string; readonly expiresAt: number } | null = null
  return {
    create(): string {
      const token = randomBytes(32).toString('base64url')
      link = { digest: tokenDigest('operator-link', token), expiresAt: clock() + lifetimeMs }
      return token
    },
    /** True once. */
    use(token: string): boolean {
      if (!link || clock() >= link.expiresAt || !isSameDigest(link.digest, tokenDigest('operator-link', token))) {
        return false
      }
      link = null
      return true
    },
  }
}
