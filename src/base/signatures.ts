import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'

interface MessageToSign {
  /** Base64, with or without the prefix `whsec_`. */
  readonly secret: string
  readonly id: string
  /** In seconds. */
  readonly timestamp: number
  readonly body: string
}

/** The signature of a message as Standard Webhooks 1.0 defines it: HMAC-SHA-256 over id, time and body. */
export function signMessage({ secret, id, timestamp, body }: MessageToSign): string {
  return `v1,${hmac(secret, id, String(timestamp), body).toString('base64')}`
}

export const signedHeaders = ({ secrets, ...message }: Omit<MessageToSign, 'secret'> & { secrets: string[] }) => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map((secret) => signMessage({ secret, ...message })).join(' '),
})

export const signedCallback = (header: (name: string) => string | undefined, body: Uint8Array): SignedCallback => ({
  id: header('webhook-id') ?? '',
  timestamp: header('webhook-timestamp') ?? '',
  signatures: header('webhook-signature') ?? '',
  body,
})

export interface SignedCallback {
  readonly id: string
  /** Seconds since the epoch, as text. */
  readonly timestamp: string
  /** One or more signatures, separated by spaces. */
  readonly signatures: string
  readonly body: Uint8Array
}

const toleranceMs = 300_000
const maxSignatures = 8

/** Checks a callback as Standard Webhooks demands: one signature must match, and its time must be near ours. */
export function isSigned({ id, timestamp, signatures, body }: SignedCallback, secret: string, now: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) * 1000 - now) > toleranceMs) return false
  const expected = hmac(secret, id, timestamp, body)
  return signatures
    .split(' ')
    .slice(0, maxSignatures)
    .some((signature) => {
      const [version, value = ''] = signature.split(',')
      const given = Buffer.from(value, 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
}

function hmac(secret: string, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  // The key is base64 even without the prefix.
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
}

type TokenKind =
  | 'challenge'
  | 'session'
  | 'pending-sign-in'
  | 'recovery-code'
  | 'csrf'
  | 'api-key'
  | 'idempotency'
  | 'operator-session'
  | 'operator-csrf'
  | 'operator-link'
  | 'operator-name'

export const tokenDigest = (kind: TokenKind, token: string): string => hash('sha256', `${kind}\n${token}`, 'base64url')

/** Compares digests in constant time. */
export function isSameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Equal requests have equal fingerprints, however their JSON is formatted (RFC 8785). */
export const fingerprint = (request: object): string => hash('sha256', canonical(request), 'base64url')

function canonical(request: object): string {
  try {
    return canonicalize(request)!
  } catch {
    // RFC 8785 has no lone surrogates. They are escaped and wrapped in an object, so that no other request looks the same.
    return canonicalize(JSON.parse(JSON.stringify(request), escapeLoneSurrogates))!
  }
}

const escapeLoneSurrogates = (_: string, value: unknown) =>
  typeof value === 'string' && !value.isWellFormed() ? { escaped: JSON.stringify(value) } : value
