export interface SessionRow {
  readonly sessionId: string
  readonly accountId: string
  readonly projectId: string
  readonly csrfDigest: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface SessionReader {
  session(sessionDigest: string, now: number): Promise<SessionRow | undefined>
  sessionsOf(accountId: string, now: number): Promise<SessionRow[]>
}

export interface SessionWriter extends SessionReader {
  createSession(row: SessionRow & { sessionDigest: string }): Promise<void>
  endSession(sessionDigest: string): Promise<void>
  /** False if the account has no such session. */
  endSessionById(accountId: string, sessionId: string, now: number): Promise<boolean>
  endSessionsOf(accountId: string): Promise<number>
  endOtherSessionsOf(accountId: string, keptDigest: string): Promise<number>
  /** Returns the updated session, or undefined if it is gone. */
  replaceCsrf(sessionDigest: string, csrfDigest: string, now: number): Promise<SessionRow | undefined>
}
