import { createHash, createPrivateKey, createPublicKey, createSecretKey, type KeyObject, sign } from 'node:crypto'
import { monotonicMs } from '../../../base/clock.ts'
import type { Keyring, Sealed } from '../../../base/keyring.ts'
import { randomBytes } from '../../../base/randomness.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import type { NoteSigner } from './note.ts'

export interface SigningKey extends NoteSigner {
  /** The RFC 7638 thumbprint. */
  readonly kid: string
  /** Base64url, as in the JWK. */
  readonly x: string
  readonly createdAt: number
  /** Until when it signs checkpoints; null for the current key. Negative for a revoked key: minus the time of the revocation. */
  readonly endsAt: number | null
}

const isRevoked = ({ endsAt }: Pick<SigningKey, 'endsAt'>): boolean => endsAt !== null && endsAt < 0

export interface GatewayKeys {
  /** The oldest first. */
  readonly keys: readonly SigningKey[]
  readonly current: SigningKey
  /** Salts are derived with it, so that no call has to store one. */
  readonly saltKey: KeyObject
}

export type SigningKeys = ReturnType<typeof createSigningKeys>

const saltKeyId = 'salt'
const cacheMs = 2000
/** A PKCS #8 file of an Ed25519 key, up to its 32 bytes. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex')

export const signingKeyContext = (keyId: string): string => `signing-key ${keyId}`

/** The keys of this installation. All instances read the same ones from the store; the first to start creates them. */
export function createSigningKeys({
  engine,
  keyring,
  clock,
}: {
  readonly engine: Pick<Engine, 'read' | 'write'>
  readonly keyring: Keyring
  readonly clock: () => number
}) {
  let cached: { readonly keys: GatewayKeys; readonly at: number } | null = null
  /** Unsealed keys by their id: they never change. */
  const opened = new Map<string, Buffer>()

  async function load(): Promise<GatewayKeys> {
    let rows = await engine.read(readRows)
    if (rows.length < 2) {
      await engine.write((tx) => createFirst(tx, keyring, clock()))
      rows = await engine.read(readRows)
    }
    const secretOf = (row: SigningKeyRow): Buffer => {
      const known = opened.get(row.keyId)
      if (known) return known
      const secret = Buffer.from(keyring.open(signingKeyContext(row.keyId), row), 'base64')
      opened.set(row.keyId, secret)
      return secret
    }
    const keys = rows.filter(({ number }) => number > 0).map((row) => signingKey(row, secretOf(row)))
    const saltRow = rows.find(({ number }) => number === 0)!
    return { keys, current: keys.at(-1)!, saltKey: createSecretKey(secretOf(saltRow)) }
  }

  return {
    /** At most two seconds old. */
    async get(): Promise<GatewayKeys> {
      const at = monotonicMs()
      if (cached && at - cached.at < cacheMs) return cached.keys
      const keys = await load()
      cached = { keys, at }
      return keys
    },
    /** The keys that sign a checkpoint now: the current one first. */
    async signers(): Promise<readonly SigningKey[]> {
      const { keys, current } = await this.get()
      const now = clock()
      return [current, ...keys.filter(({ endsAt }) => endsAt !== null && endsAt > now).reverse()]
    },
  }
}

/** A new current key. The one before signs checkpoints until `overlapUntil`. Returns the ids of both. */
export async function rotateSigningKey(
  tx: Writer,
  keyring: Keyring,
  { at, overlapUntil }: { readonly at: number; readonly overlapUntil: number },
): Promise<{ readonly before: string; readonly after: string }> {
  await createFirst(tx, keyring, at)
  const current = (await readRows(tx)).at(-1)!
  await tx.run('UPDATE signing_keys SET ends_at = $2 WHERE key_id = $1 AND ends_at IS NULL', [
    current.keyId,
    overlapUntil,
  ])
  return { before: current.keyId, after: await insertSigningKey(tx, keyring, current.number + 1, at) }
}

/** Revokes a key that is no longer the current one: nothing that it signed counts any more. 0 if there is none that was not revoked. */
export const revokeSigningKey = (tx: Writer, kid: string, at: number): Promise<number> =>
  tx.run('UPDATE signing_keys SET ends_at = $2 WHERE key_id = $1 AND number > 0 AND ends_at >= 0', [kid, -at])

/** The public keys as RFC 7517 lists them, with the times between which each signs, and those that were revoked. */
export const jwksOf = (keys: readonly SigningKey[]) => ({
  keys: keys
    .filter((key) => !isRevoked(key))
    .map(({ x, kid, createdAt, endsAt }) => ({
      ...{ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', x, kid },
      iat: Math.floor(createdAt / 1000),
      ...(endsAt !== null && { exp: Math.ceil(endsAt / 1000) }),
    })),
  revoked: keys.filter(isRevoked).map(({ kid, endsAt }) => ({ kid, at: Math.floor(-endsAt! / 1000) })),
})

/** A compact JWS over a text. */
export function signJws(key: SigningKey, typ: string, payload: string): string {
  const header = JSON.stringify({ alg: 'EdDSA', kid: key.kid, typ })
  const input = `${Buffer.from(header).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`
  return `${input}.${sign(null, Buffer.from(input), key.privateKey).toString('base64url')}`
}

interface SigningKeyRow extends Sealed {
  readonly keyId: string
  readonly number: number
  readonly createdAt: number
  readonly endsAt: number | null
}

const readRows = (tx: Reader): Promise<SigningKeyRow[]> =>
  tx.all<SigningKeyRow>(`SELECT key_id AS "keyId", number, sealed, key_version AS "keyVersion", created_at AS "createdAt",
    ends_at AS "endsAt" FROM signing_keys ORDER BY number`)

/** Of two instances that start at once, one writes the keys. */
async function createFirst(tx: Writer, keyring: Keyring, at: number): Promise<void> {
  const numbers = new Set((await readRows(tx)).map(({ number }) => number))
  if (!numbers.has(0)) {
    const { sealed, keyVersion } = keyring.seal(signingKeyContext(saltKeyId), randomBytes(32).toString('base64'))
    await tx.run(insertKey, [saltKeyId, 0, '', sealed, keyVersion, at])
  }
  if (!numbers.has(1)) await insertSigningKey(tx, keyring, 1, at)
}

async function insertSigningKey(tx: Writer, keyring: Keyring, number: number, at: number): Promise<string> {
  const seed = randomBytes(32)
  const { kid, x } = publicPartOf(privateKeyOf(seed))
  const { sealed, keyVersion } = keyring.seal(signingKeyContext(kid), seed.toString('base64'))
  await tx.run(insertKey, [kid, number, x, sealed, keyVersion, at])
  return kid
}

const insertKey = `INSERT INTO signing_keys (key_id, number, public_key, sealed, key_version, created_at)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`

const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' })

function publicPartOf(privateKey: KeyObject): { readonly x: string; readonly kid: string } {
  const x = createPublicKey(privateKey).export({ format: 'jwk' }).x!
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  return { x, kid }
}

function signingKey({ createdAt, endsAt }: SigningKeyRow, seed: Buffer): SigningKey {
  const privateKey = privateKeyOf(seed)
  const { x, kid } = publicPartOf(privateKey)
  return { kid, x, publicKey: Buffer.from(x, 'base64url'), privateKey, createdAt, endsAt }
}
