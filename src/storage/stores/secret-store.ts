import type { SecretStore, SecretVersion } from '../../secrets/check-secret.ts'
import type { Engine, Reader } from '../engine.ts'

export function createSecretStore(engine: Engine): SecretStore {
  return {
    secretVersions: () => engine.read(readSecretVersions),
    addSecretVersion: ({ keyVersion, checkValue }, at) =>
      engine.write(async (tx) => {
        await tx.run(
          `INSERT INTO secret_versions (key_version, check_value, first_used_at) VALUES ($1, $2, $3)
          ON CONFLICT (key_version) DO NOTHING`,
          [keyVersion, checkValue, at],
        )
      }),
  }
}

export const readSecretVersions = (tx: Reader): Promise<SecretVersion[]> =>
  tx.all<SecretVersion>('SELECT key_version AS "keyVersion", check_value AS "checkValue" FROM secret_versions')
