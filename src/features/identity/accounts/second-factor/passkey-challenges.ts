import { createHmac } from 'node:crypto'
import type { Keyring } from '../../../../base/keyring.ts'
import { randomBytes } from '../../../../base/randomness.ts'
import { isSameDigest } from '../../../../base/signatures.ts'
import { minuteMs } from '../../../../base/time.ts'

/** A challenge is valid only for its purpose and subject. */
interface ChallengeUse {
  readonly purpose: 'sign_in' | 'register' | 'prove'
  /** The session that asked; null at a sign-in. */
  readonly sessionDigest: string | null
}

export const challengeMs = 5 * minuteMs

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>

/**
 * Signed by the gateway instead of stored: strangers who ask for challenges fill no table. Random bytes, the end of its time, and
 * a signature over both and over what it is good for. A used one is remembered until it expires.
 */
export function createPasskeyChallenges({ keys }: Pick<Keyring, 'keys'>, clock: () => number) {
  const signed = (secret: string, body: Uint8Array, { purpose, sessionDigest }: ChallengeUse) =>
    createHmac('sha256', secret)
      .update(`passkey ${purpose} ${sessionDigest ?? ''}\n`)
      .update(body)
      .digest('base64url')

  return {
    issue(use: ChallengeUse): string {
      const expiresAt = Buffer.alloc(8)
      expiresAt.writeBigUInt64BE(BigInt(clock() + challengeMs))
      const body = Buffer.concat([randomBytes(16), expiresAt])
      return body.toString('base64url') + signed(keys[0]!.secret, body, use)
    },
    /** When the challenge expires; null if it is not ours, for something else, or over. */
    expiryOf(challenge: string, use: ChallengeUse): number | null {
      if (challenge.length !== bodyLength + signatureLength) return null
      const body = Buffer.from(challenge.slice(0, bodyLength), 'base64url')
      const signature = challenge.slice(bodyLength)
      if (!keys.some(({ secret }) => isSameDigest(signed(secret, body, use), signature))) return null
      const expiresAt = Number(body.readBigUInt64BE(16))
      return expiresAt > clock() ? expiresAt : null
    },
  }
}

/** In base64url: 24 bytes, and 32 of the signature. */
const bodyLength = 32
const signatureLength = 43
