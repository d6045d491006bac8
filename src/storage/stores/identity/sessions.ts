import type { SessionReader, SessionRow, SessionWriter } from '../../../identity/ports/sessions.ts'
import type { Reader, Writer } from '../../engine.ts'

const sessionColumns = `session_id AS "sessionId", account_id AS "accountId", project_id AS "projectId",
  csrf_digest AS "csrfDigest", created_at AS "createdAt", expires_at AS "expiresAt"`

export function sessionReads(tx: Reader): SessionReader {
  return {
    session: (digest, now) =>
      tx.get<SessionRow>(
        // A session that was opened while its account was suspended is worth nothing.
        `SELECT ${sessionColumns} FROM sessions WHERE session_digest = $1 AND expires_at > $2
          AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = sessions.account_id AND a.suspended_at IS NOT NULL)`,
        [digest, now],
      ),
    sessionsOf: (accountId, now) =>
      tx.all<SessionRow>(
        `SELECT ${sessionColumns} FROM sessions WHERE account_id = $1 AND expires_at > $2
        ORDER BY expires_at DESC LIMIT 100`,
        [accountId, now],
      ),
  }
}

export function sessionWrites(tx: Writer): Omit<SessionWriter, keyof SessionReader> {
  return {
    createSession: async (row) => {
      await tx.run(
        `INSERT INTO sessions (session_digest, session_id, account_id, project_id, csrf_digest, created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [row.sessionDigest, row.sessionId, row.accountId, row.projectId, row.csrfDigest, row.createdAt, row.expiresAt],
      )
    },
    endSession: async (digest) => {
      await tx.run('DELETE FROM sessions WHERE session_digest = $1', [digest])
    },
    endSessionById: async (accountId, sessionId, now) =>
      (await tx.run('DELETE FROM sessions WHERE account_id = $1 AND session_id = $2 AND expires_at > $3', [
        accountId,
        sessionId,
        now,
      ])) === 1,
    endSessionsOf: (accountId) => tx.run('DELETE FROM sessions WHERE account_id = $1', [accountId]),
    endOtherSessionsOf: (accountId, keptDigest) =>
      tx.run('DELETE FROM sessions WHERE account_id = $1 AND session_digest <> $2', [accountId, keptDigest]),
    replaceCsrf: (digest, csrfDigest, now) =>
      tx.get<SessionRow>(
        `UPDATE sessions SET csrf_digest = $2 WHERE session_digest = $1 AND expires_at > $3 RETURNING ${sessionColumns}`,
        [digest, csrfDigest, now],
      ),
  }
}
