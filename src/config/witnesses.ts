import { createHash } from 'node:crypto'
import { Type } from '../base/schema.ts'
import { section } from './provider-schema.ts'

const witness = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9._/-]{1,64}$',
      description: 'What the witness is called in logs and metrics.',
    }),
    vkey: Type.String({
      pattern: '^[^\\s+]{1,200}\\+[0-9a-f]{8}\\+[A-Za-z0-9+/]{44}$',
      description: 'Its public key, as C2SP writes it: name, key ID and Ed25519 key.',
    }),
    url: Type.String({ format: 'base-url', description: 'Its submission prefix; add-checkpoint is appended.' }),
  },
  { additionalProperties: false },
)

export const transparencySection = section(
  {
    witnesses: Type.Array(witness, {
      maxItems: 8,
      default: [],
      description: 'C2SP witnesses that cosign checkpoints of the public log: docs/receipts.md.',
    }),
  },
  'The public log.',
)

export interface WitnessKey {
  /** As in its signature lines. */
  readonly keyName: string
  /** 32 bytes. */
  readonly publicKey: Buffer
}

/** Types of keys in a vkey: plain Ed25519, which witnesses use for cosignatures too, and cosignature/v1. */
const keyTypes = [1, 4]

/** The key of a vkey; null if its ID does not fit or it is of another type. */
export function readVkey(vkey: string): WitnessKey | null {
  const [keyName = '', id = '', ...rest] = vkey.split('+')
  const bytes = Buffer.from(rest.join('+'), 'base64')
  const hash = createHash('sha256').update(`${keyName}\n`).update(bytes).digest()
  if (bytes.length !== 33 || !keyTypes.includes(bytes[0]!) || hash.subarray(0, 4).toString('hex') !== id) return null
  return { keyName, publicKey: bytes.subarray(1) }
}

/** Refuses a witness whose key is damaged, and two with one name. */
export function checkWitnesses(
  witnesses: readonly { readonly name: string; readonly vkey: string }[],
  fault: (key: string, fault: string, remedy: string) => Error,
): void {
  const names = new Set<string>()
  for (const [index, { name, vkey }] of witnesses.entries()) {
    const at = `transparency.witnesses.${index}`
    if (!readVkey(vkey)) throw fault(`${at}.vkey`, 'is not an Ed25519 key', 'Copy the whole key from the witness.')
    if (names.has(name)) throw fault(`${at}.name`, `"${name}" is used twice`, 'Give each witness a unique name.')
    names.add(name)
  }
}
