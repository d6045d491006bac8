import type { OutdatedCounts, SealedStore, SealedValue } from '../../secrets/rotate.ts'
import type { Engine, Reader } from '../engine.ts'

interface SealedColumns {
  readonly table: string
  readonly id: string
  readonly sealed: string
  readonly keyVersion: string
  readonly digest: string | null
}

/** Where sealed values are. The names are those of `SealedKind`. */
const columnsOf: Readonly<Record<string, SealedColumns>> = {
  phones: {
    table: 'identities',
    id: 'account_id',
    sealed: 'phone_sealed',
    keyVersion: 'phone_key_version',
    digest: 'phone_digest',
  },
  recoveryEmails: {
    table: 'accounts',
    id: 'account_id',
    sealed: 'recovery_email_sealed',
    keyVersion: 'recovery_email_key_version',
    digest: 'recovery_email_digest',
  },
  operatorCodes: {
    table: 'operators',
    id: 'name',
    sealed: 'totp_sealed',
    keyVersion: 'totp_key_version',
    digest: null,
  },
  webhookSecrets: { table: 'webhooks', id: 'webhook_id', sealed: 'sealed', keyVersion: 'key_version', digest: null },
  messages: { table: 'messages', id: 'message_id', sealed: 'sealed', keyVersion: 'key_version', digest: null },
}

export function createSealedStore(engine: Engine): SealedStore {
  return {
    outdated: (kind, version, after, limit) => {
      const { table, id, sealed, keyVersion } = columnsOf[kind]!
      return engine.read((tx) =>
        tx.all<SealedValue>(
          `SELECT ${id} AS id, ${sealed} AS sealed, ${keyVersion} AS "keyVersion" FROM ${table}
          WHERE ${id} > $1 AND ${sealed} IS NOT NULL AND ${keyVersion} <> $2 ORDER BY ${id} LIMIT $3`,
          [after, version, limit],
        ),
      )
    },
    replace: (kind, values) =>
      engine.write(async (tx) => {
        const { table, id, sealed, keyVersion, digest } = columnsOf[kind]!
        let replaced = 0
        for (const { from, to, digest: newDigest } of values) {
          replaced += await tx.run(
            `UPDATE ${table} SET ${sealed} = $3, ${keyVersion} = $4${digest ? `, ${digest} = $5` : ''}
            WHERE ${id} = $1 AND ${sealed} = $2`,
            [from.id, from.sealed, to.sealed, to.keyVersion, ...(digest ? [newDigest] : [])],
          )
        }
        return replaced
      }),
    countOutdated: (version) => engine.read((tx) => countOutdated(tx, version)),
    retireOthers: (version) =>
      engine.write(async (tx) => {
        const { outdated, unsealed } = await countOutdated(tx, version)
        if (outdated + unsealed > 0) return false
        await tx.run('DELETE FROM secret_versions WHERE key_version <> $1', [version])
        return true
      }),
  }
}

async function countOutdated(tx: Reader, version: string): Promise<OutdatedCounts> {
  let outdated = 0
  let unsealed = 0
  for (const { table, sealed, keyVersion } of Object.values(columnsOf)) {
    const row = await tx.get<OutdatedCounts>(
      `SELECT count(CASE WHEN ${sealed} IS NOT NULL AND ${keyVersion} <> $1 THEN 1 END) AS outdated,
        count(CASE WHEN ${sealed} IS NULL THEN 1 END) AS unsealed FROM ${table}`,
      [version],
    )
    outdated += row!.outdated
    unsealed += row!.unsealed
  }
  return { outdated, unsealed }
}
