import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { WitnessKey } from '../../../config/witnesses.ts'

/** Cosignatures as C2SP tlog-cosignature defines them, version 1: Ed25519 with a time. */

const cosignatureV1 = Buffer.of(4)
const keyIdBytes = 4
const timeBytes = 8
const signatureBytes = 64

export interface Cosigner {
  /** As in its lines. */
  readonly keyName: string
  readonly keyId: Buffer
  readonly key: KeyObject
}

export const cosignerOf = ({ keyName, publicKey }: WitnessKey): Cosigner => ({
  keyName,
  keyId: createHash('sha256')
    .update(`${keyName}\n`)
    .update(cosignatureV1)
    .update(publicKey)
    .digest()
    .subarray(0, keyIdBytes),
  key: createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') },
    format: 'jwk',
  }),
})

/** The text that is signed, without its signatures. */
export const textOfNote = (note: string): string => note.slice(0, note.indexOf('\n\n') + 1)

/** The first valid line of a cosigner in a text; null if there is none. Lines of others are ignored. */
export function findCosignature(lines: string, checkpoint: string, { keyName, keyId, key }: Cosigner): string | null {
  const text = textOfNote(checkpoint)
  for (const line of lines.split('\n')) {
    const [, name, encoded] = /^— (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? []
    if (name !== keyName) continue
    const bytes = Buffer.from(encoded!, 'base64')
    if (bytes.length !== keyIdBytes + timeBytes + signatureBytes || !bytes.subarray(0, keyIdBytes).equals(keyId))
      continue
    const time = bytes.readBigUInt64BE(keyIdBytes)
    const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)
    if (verify(null, message, key, bytes.subarray(keyIdBytes + timeBytes))) return `${line}\n`
  }
  return null
}

/** Adds the lines that a note lacks. */
export const withLines = (note: string, lines: readonly string[]): string =>
  note + lines.filter((line) => !note.includes(line)).join('')
