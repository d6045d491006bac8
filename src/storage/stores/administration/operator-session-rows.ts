import type { AdministrationReader, AdministrationWriter, OperatorSessionRow } from '../../../administration/ports.ts'
import type { Reader, Writer } from '../../engine.ts'

type StoredSession = Omit<OperatorSessionRow, 'isLocal' | 'mustChangePassword' | 'isTotpEnrolled'> & {
  isLocal: number
  mustChangePassword: number | null
  isTotpEnrolled: number | null
}

export function sessionReads(tx: Reader): Pick<AdministrationReader, 'operatorSession'> {
  return {
    operatorSession: async (sessionDigest) => {
      const row = await tx.get<StoredSession>(
        `SELECT s.session_digest AS "sessionDigest", s.name, s.is_local AS "isLocal", s.csrf_digest AS "csrfDigest",
          s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt",
          o.role, o.must_change_password AS "mustChangePassword", o.totp_enrolled AS "isTotpEnrolled",
          o.disabled_at AS "disabledAt"
        FROM operator_sessions s LEFT JOIN operators o ON o.name = s.name AND s.is_local = 0
        WHERE s.session_digest = $1`,
        [sessionDigest],
      )
      return (
        row && {
          ...row,
          isLocal: row.isLocal === 1,
          mustChangePassword: row.mustChangePassword === 1,
          isTotpEnrolled: row.isTotpEnrolled === 1,
        }
      )
    },
  }
}

type SessionWrites = Pick<
  AdministrationWriter,
  'insertOperatorSession' | 'touchOperatorSession' | 'endOperatorSession' | 'endOperatorSessions'
>

export function sessionWrites(tx: Writer): SessionWrites {
  return {
    insertOperatorSession: async (row) => {
      await tx.run(
        `INSERT INTO operator_sessions (session_digest, name, is_local, csrf_digest, created_at, last_seen_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $5, $6)`,
        [row.sessionDigest, row.name, row.isLocal ? 1 : 0, row.csrfDigest, row.createdAt, row.expiresAt],
      )
    },
    touchOperatorSession: async (sessionDigest, at) => {
      await tx.run('UPDATE operator_sessions SET last_seen_at = $2 WHERE session_digest = $1 AND last_seen_at < $2', [
        sessionDigest,
        at,
      ])
    },
    endOperatorSession: async (sessionDigest) => {
      await tx.run('DELETE FROM operator_sessions WHERE session_digest = $1', [sessionDigest])
    },
    endOperatorSessions: (name, keptDigest = '') =>
      tx.run('DELETE FROM operator_sessions WHERE name = $1 AND is_local = 0 AND session_digest <> $2', [
        name,
        keptDigest,
      ]),
  }
}
