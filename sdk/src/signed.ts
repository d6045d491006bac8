import { isSame, sha256 } from './merkle.ts'

/** A public key of `/.well-known/jwks.json`. */
export interface Jwk {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly kid: string
  readonly iat?: number
  readonly exp?: number
}

export interface Jwks {
  readonly keys: readonly Jwk[]
  /** Keys that count for nothing any more, whatever the date of a document. */
  readonly revoked?: readonly { readonly kid: string }[]
}

export const isRevokedIn = ({ revoked = [] }: Jwks, wanted: unknown): boolean =>
  revoked.some(({ kid }) => kid === wanted)

export interface OpenedCheckpoint {
  readonly ok: boolean
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

const notOpened: OpenedCheckpoint = { ok: false, origin: '', size: 0, root: new Uint8Array() }

/** Reads a C2SP checkpoint and checks that one of the keys signed it under the name of its origin. */
export async function openCheckpoint(note: string, jwks: Jwks): Promise<OpenedCheckpoint> {
  const end = note.indexOf('\n\n')
  const signed = note.slice(0, end + 1)
  const [origin = '', size = '', root = ''] = signed.split('\n')
  if (end < 0 || !/^(0|[1-9]\d{0,15})$/.test(size) || !/^[A-Za-z0-9+/]{43}=$/.test(root)) return notOpened
  const input = new TextEncoder().encode(signed)
  let ok = false
  for (const line of note.slice(end + 2).split('\n')) {
    const [, name, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? []
    if (name !== origin || !encoded) continue
    const bytes = bytesOf(encoded)
    for (const key of jwks.keys.filter(({ kid }) => !isRevokedIn(jwks, kid))) {
      const hash = await sha256(new TextEncoder().encode(`${name}\n`), Uint8Array.of(1), bytesOf(key.x))
      if (!isSame(hash.subarray(0, 4), bytes.subarray(0, 4))) continue
      ok ||= await isSignedBy(key, input, bytes.subarray(4))
    }
  }
  return { ok, origin, size: Number(size), root: bytesOf(root) }
}

export async function isSignedBy({ kty, crv, x }: Jwk, input: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (kty !== 'OKP' || crv !== 'Ed25519') return false
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, signature as Uint8Array<ArrayBuffer>, input as Uint8Array<ArrayBuffer>)
}

/** RFC 8785 for values that came from JSON. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
}

/** Of base64 or base64url. */
export function bytesOf(encoded: string): Uint8Array {
  const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

export const text = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
