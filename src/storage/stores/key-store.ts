import type { Scope } from '../../contract/prices.ts'
import type { KeyReader, KeyRow, KeyStore, KeyWriter } from '../../keys/ports.ts'
import type { Engine, Reader, Writer } from '../engine.ts'

export function createKeyStore(engine: Engine): KeyStore {
  return {
    read: (work) => engine.read((tx) => work(reader(tx))),
    write: (work) => engine.write((tx) => work(writer(tx))),
  }
}

type StoredKey = Omit<KeyRow, 'scopes'> & { scopes: string }

const columns = `key_id AS "keyId", project_id AS "projectId", display_prefix AS "displayPrefix", scopes,
  created_at AS "createdAt", revoked_at AS "revokedAt", suspended_at AS "suspendedAt", expires_at AS "expiresAt",
  rotated_from_key_id AS "rotatedFromKeyId", calls, last_used_at AS "lastUsedAt"`

const toKeyRow = (row: StoredKey): KeyRow => ({ ...row, scopes: row.scopes.split(' ') as Scope[] })

/** Far above the limit of active keys. Active keys come first, so only inactive ones can be left out. */
const listLimit = 1000

const isActive = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)'

function reader(tx: Reader): KeyReader {
  return {
    keysOf: async (projectId, now) => {
      const rows = await tx.all<StoredKey>(
        `SELECT ${columns} FROM api_keys WHERE project_id = $1
        ORDER BY CASE WHEN ${isActive} THEN 0 ELSE 1 END, created_at DESC, key_id DESC LIMIT ${listLimit}`,
        [projectId, now],
      )
      return rows.map(toKeyRow)
    },
    byDigest: async (digest) => {
      const row = await tx.get<StoredKey>(`SELECT ${columns} FROM api_keys WHERE key_digest = $1`, [digest])
      return row && toKeyRow(row)
    },
  }
}

function writer(tx: Writer): KeyWriter {
  return {
    ...reader(tx),
    countActive: async (projectId, now) => {
      // An update that changes nothing locks the project, so that concurrent counts wait.
      await tx.run('UPDATE projects SET name = name WHERE project_id = $1', [projectId])
      const row = await tx.get<{ active: number }>(
        `SELECT COUNT(*) AS active FROM api_keys WHERE project_id = $1 AND ${isActive}`,
        [projectId, now],
      )
      return row!.active
    },
    insert: async (row) => {
      await tx.run(
        // `countActive` has locked the project, so a suspension is either seen here or finds this key.
        `INSERT INTO api_keys (key_id, project_id, key_digest, display_prefix, scopes, created_at, expires_at, suspended_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT a.suspended_at FROM accounts a
          JOIN projects p ON p.account_id = a.account_id WHERE p.project_id = $2))`,
        [
          row.keyId,
          row.projectId,
          row.keyDigest,
          row.displayPrefix,
          row.scopes.join(' '),
          row.createdAt,
          row.expiresAt,
        ],
      )
    },
    revoke: async (projectId, keyId, at) =>
      (await tx.run('UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $3) WHERE key_id = $1 AND project_id = $2', [
        keyId,
        projectId,
        at,
      ])) === 1,
  }
}
