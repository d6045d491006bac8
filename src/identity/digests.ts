import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/**
 * Digests of everything that must not be readable in the store. Values that can be brute-forced (phone, email, 6-digit code)
 * are keyed with the gateway's secret; 256-bit random tokens need no key.
 */
export interface Digests {
  readonly phone: (phone: string) => string
  readonly email: (email: string) => string
  readonly code: (challengeId: string, code: string) => string
  readonly requester: (network: string) => string
}

export function createDigests(secret: string): Digests {
  const keyed = (domain: string, value: string) =>
    createHmac('sha256', secret).update(`${domain}\n${value}`).digest('base64url')
  return {
    phone: (phone) => keyed('phone', phone),
    // Lower-cased: mailboxes are case-insensitive in practice.
    email: (email) => keyed('email', email.toLowerCase()),
    code: (challengeId, code) => keyed('code', `${challengeId}\n${code}`),
    requester: (network) => keyed('requester', network),
  }
}

type TokenKind = 'challenge' | 'session' | 'csrf' | 'api-key' | 'idempotency'

export const tokenDigest = (kind: TokenKind, token: string): string => hash('sha256', `${kind}\n${token}`, 'base64url')

/** Compares digests in constant time. */
export function isSameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
