import { createHmac, timingSafeEqual } from 'node:crypto'

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

/** Checks a callback as Standard Webhooks demands: HMAC-SHA-256 over id, time and body, and a time near ours. */
export function isSigned({ id, timestamp, signatures, body }: SignedCallback, secret: string, now: number): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) * 1000 - now) > toleranceMs) return false
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures
    .split(' ')
    .slice(0, maxSignatures)
    .some((signature) => {
      const [version, value = ''] = signature.split(',')
      const given = Buffer.from(value, 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
}

/** `whsec_` and the key in base64; without that prefix the text itself is base64 as well. */
const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
