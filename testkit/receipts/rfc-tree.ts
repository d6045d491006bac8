import { createHash, createPublicKey, verify } from 'node:crypto'

/**
 * A second verifier, written from the definitions of RFC 9162 alone and in the plainest way: whole trees, recursion, no tiles.
 * It shares no code with the gateway and the SDK.
 */

const sha = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()

export const leaf = (data: Buffer): Buffer => sha(Buffer.from([0]), data)

/** k of RFC 9162: the largest power of two smaller than n. */
function k(n: number): number {
  let power = 1
  while (power * 2 < n) power *= 2
  return power
}

/** MTH of 2.1.1, over leaf hashes. */
export function mth(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return sha()
  if (leaves.length === 1) return leaves[0]!
  const split = k(leaves.length)
  return sha(Buffer.from([1]), mth(leaves.slice(0, split)), mth(leaves.slice(split)))
}

/** MTH of the first leaves, for many sizes: what they share is hashed once. */
export function createRoots(leaves: readonly Buffer[]): (size: number) => Buffer {
  const known = new Map<string, Buffer>()
  const root = (from: number, size: number): Buffer => {
    if (size === 0) return sha()
    if (size === 1) return leaves[from]!
    const split = k(size)
    if (split * 2 < size) return sha(Buffer.from([1]), root(from, split), root(from + split, size - split))
    const name = `${from} ${size}`
    const whole = known.get(name) ?? sha(Buffer.from([1]), root(from, split), root(from + split, size - split))
    known.set(name, whole)
    return whole
  }
  return (size) => root(0, size)
}

/** The root that PATH of 2.1.3.1 belongs to, unfolded from its definition. */
export function rootByPath(hash: Buffer, m: number, n: number, path: readonly Buffer[]): Buffer {
  if (n === 1) {
    if (path.length > 0) throw new Error('the path is too long')
    return hash
  }
  const sibling = path.at(-1)
  if (!sibling) throw new Error('the path is too short')
  const split = k(n)
  return m < split
    ? sha(Buffer.from([1]), rootByPath(hash, m, split, path.slice(0, -1)), sibling)
    : sha(Buffer.from([1]), sibling, rootByPath(hash, m - split, n - split, path.slice(0, -1)))
}

/** Both roots that SUBPROOF of 2.1.4.1 belongs to, unfolded from its definition. */
export function rootsByProof(
  oldRoot: Buffer,
  m: number,
  n: number,
  proof: readonly Buffer[],
  whole = true,
): [Buffer, Buffer] {
  if (m === n) {
    const hash = whole ? oldRoot : proof[0]!
    return [hash, hash]
  }
  const other = proof.at(-1)!
  const split = k(n)
  if (m <= split) {
    const [old, now] = rootsByProof(oldRoot, m, split, proof.slice(0, -1), whole)
    return [old, sha(Buffer.from([1]), now, other)]
  }
  const [old, now] = rootsByProof(oldRoot, m - split, n - split, proof.slice(0, -1), false)
  return [sha(Buffer.from([1]), other, old), sha(Buffer.from([1]), other, now)]
}

/** Text, size and root of a signed note, if the key signed it (C2SP signed-note and tlog-checkpoint). */
export function openNote(note: string, x: string): { origin: string; size: number; root: Buffer } {
  const [text, signatures] = note.split('\n\n') as [string, string]
  const [origin, size, root, ...rest] = text.split('\n')
  if (rest.length > 0) throw new Error('a checkpoint of the gateway has three lines')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const id = sha(Buffer.from(`${origin}\n`), Buffer.from([1]), Buffer.from(x, 'base64url')).subarray(0, 4)
  const isSigned = signatures.split('\n').some((line) => {
    const [dash, name, encoded = ''] = line.split(' ')
    const bytes = Buffer.from(encoded, 'base64')
    const isOurs = dash === '—' && name === origin && bytes.subarray(0, 4).equals(id)
    return isOurs && verify(null, Buffer.from(`${text}\n`), publicKey, bytes.subarray(4))
  })
  if (!isSigned) throw new Error('the key did not sign the note')
  return { origin: origin!, size: Number(size), root: Buffer.from(root!, 'base64') }
}
