import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import { randomBytes } from './randomness.ts'

/**
 * The secrets of the gateway: the current one, and older ones that are still in use until `secret rotate` has finished. Each
 * secret has a version, a name derived from it that reveals nothing.
 */
export interface Keyring {
  readonly current: SecretKey
  /** The current key first. */
  readonly keys: readonly SecretKey[]
  /** Encrypts with the current key. `context` says whose value it is: it opens only with the same context. */
  readonly seal: (context: string, plaintext: string) => Sealed
  /** Throws `SealUnusable` if the key is not configured or the value was changed. */
  readonly open: (context: string, value: Sealed) => string
}

export interface SecretKey {
  readonly version: string
  /** Stored with the version: proves that a secret is the one that the store was written with. */
  readonly checkValue: string
  readonly secret: string
}

/** AES-256-GCM: nonce, ciphertext and tag; the version of the key is stored with it. */
export interface Sealed {
  readonly sealed: string
  readonly keyVersion: string
}

export class SealUnusable extends Error {
  override readonly name = 'SealUnusable'
}

export function createKeyring(secret: string, previous: readonly string[] = []): Keyring {
  const keys = [secret, ...previous].map(secretKey)
  const sealingKeys = new Map(keys.map((key) => [key.version, derive(key.secret, 'seal', 32)]))
  const current = keys[0]!
  return {
    current,
    keys,
    seal(context, plaintext) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', sealingKeys.get(current.version)!, nonce).setAAD(
        Buffer.from(context),
      )
      const sealed = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return { sealed: sealed.toString('base64url'), keyVersion: current.version }
    },
    open(context, { sealed, keyVersion }) {
      const key = sealingKeys.get(keyVersion)
      if (!key) throw new SealUnusable(`a value was sealed with secret ${keyVersion}, which is not configured`)
      const bytes = Buffer.from(sealed, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), {
          authTagLength: tagLength,
        })
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagLength))
        return decipher.update(bytes.subarray(nonceLength, -tagLength), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new SealUnusable('a sealed value was changed, or belongs to something else', { cause })
      }
    },
  }
}

const nonceLength = 12
const tagLength = 16

const secretKey = (secret: string): SecretKey => ({
  version: derive(secret, 'version', 6).toString('hex'),
  checkValue: derive(secret, 'check', 32).toString('base64url'),
  secret,
})

/** With which a key signs the exports of a store. */
export const exportKeyOf = ({ secret }: SecretKey): Buffer => derive(secret, 'export', 32)

const derive = (secret: string, purpose: string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, 'api-relay-gateway', purpose, length))
