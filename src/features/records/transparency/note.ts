import { createHash, type KeyObject, sign } from 'node:crypto'

/** Checkpoints as C2SP tlog-checkpoint and signed-note define them. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Buffer
}

export interface NoteSigner {
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  readonly privateKey: KeyObject
}

const ed25519 = Buffer.of(1)

/** The first four bytes by which a note names a key. */
const keyHash = (name: string, publicKey: Uint8Array): Buffer =>
  createHash('sha256').update(`${name}\n`).update(ed25519).update(publicKey).digest().subarray(0, 4)

const textOf = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${root.toString('base64')}\n`

/** The key name is the origin. Each signer adds a line. */
export function signCheckpoint(checkpoint: Checkpoint, signers: readonly NoteSigner[]): string {
  const text = textOf(checkpoint)
  const lines = signers.map(({ publicKey, privateKey }) => {
    const signature = sign(null, Buffer.from(text), privateKey)
    const bytes = Buffer.concat([keyHash(checkpoint.origin, publicKey), signature])
    return `— ${checkpoint.origin} ${bytes.toString('base64')}\n`
  })
  return `${text}\n${lines.join('')}`
}

/** Reads a checkpoint; its signatures are not judged. Null if it is not a checkpoint. */
export function readCheckpoint(note: string): Checkpoint | null {
  const match = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*\n(?:— [^\n]+\n)+$/.exec(note)
  if (!match) return null
  return { origin: match[1]!, size: Number(match[2]), root: Buffer.from(match[3]!, 'base64') }
}

/** Whether a note has a line of each of these keys. The signatures are not judged. */
export function isSignedBy(note: string, name: string, signers: readonly Pick<NoteSigner, 'publicKey'>[]): boolean {
  const hashes = [...note.matchAll(/^— (\S+) ([A-Za-z0-9+/=]+)$/gm)]
    .filter((line) => line[1] === name)
    .map((line) => Buffer.from(line[2]!, 'base64').subarray(0, 4).toString('hex'))
  return signers.every(({ publicKey }) => hashes.includes(keyHash(name, publicKey).toString('hex')))
}

/** The origin of a log: a fork has a number of its own. */
export const originOf = (gateway: URL, logNumber: number): string =>
  `${gateway.host}/transparency${logNumber === 1 ? '' : `/${logNumber}`}`
