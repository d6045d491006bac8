import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomBytes } from './randomness.ts'

/** One-time codes of RFC 6238: six digits by HMAC-SHA-1, a new one every 30 seconds, as all authenticator apps know them. */

const periodMs = 30_000
const digits = 6
/** Steps that the clocks may differ by. */
const skew = 1
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret of 160 bits, in base32. */
export const newTotpSecret = (): string => base32(randomBytes(20))

const issuer = 'API Relay Gateway'

/** What an authenticator app reads from a QR code. */
export function totpUri(name: string, secret: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${periodMs / 1000}`
}

/** The step of a right code, or null. Codes of `lastStep` and before were used. */
export function acceptedStep(
  secret: string,
  code: string,
  { now, lastStep }: { readonly now: number; readonly lastStep: number | null },
): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = Math.floor(now / periodMs)
  for (let step = current - skew; step <= current + skew; step += 1) {
    const isUnused = lastStep === null || step > lastStep
    if (isUnused && timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) return step
  }
  return null
}

/** The code of a step, with dynamic truncation as in RFC 4226. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = mac.at(-1)! & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
