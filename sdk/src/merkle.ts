/** The tree of RFC 9162 as a verifier needs it. Runs in Node and in browsers. */

export const sha256 = async (...parts: readonly Uint8Array[]): Promise<Uint8Array> => {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

export const leafHash = (...data: readonly Uint8Array[]): Promise<Uint8Array> => sha256(leafPrefix, ...data)
const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Uint8Array> => sha256(nodePrefix, left, right)

export const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

interface Inclusion {
  readonly leaf: Uint8Array
  readonly index: number
  readonly size: number
  readonly proof: readonly Uint8Array[]
}

/** The root that an inclusion proof leads to (RFC 9162, 2.1.3.2); null if the proof has the wrong length. */
export async function rootOfInclusion({ leaf, index, size, proof }: Inclusion): Promise<Uint8Array | null> {
  if (index >= size) return null
  let node = index
  let last = size - 1
  let hash = leaf
  for (const part of proof) {
    if (last === 0) return null
    if (node % 2 === 1 || node === last) {
      hash = await nodeHash(part, hash)
      while (node % 2 === 0 && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else {
      hash = await nodeHash(hash, part)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 ? hash : null
}

interface Consistency {
  readonly oldSize: number
  readonly oldRoot: Uint8Array
  readonly size: number
  readonly root: Uint8Array
  readonly proof: readonly Uint8Array[]
}

/** Whether a tree begins with an older one (RFC 9162, 2.1.4.2). */
export async function isConsistent({ oldSize, oldRoot, size, root, proof }: Consistency): Promise<boolean> {
  if (oldSize > size) return false
  if (oldSize === size) return proof.length === 0 && isSame(oldRoot, root)
  if (oldSize === 0) return proof.length === 0
  const path = Number.isInteger(Math.log2(oldSize)) ? [oldRoot, ...proof] : [...proof]
  const [first, ...rest] = path
  if (!first) return false
  let node = oldSize - 1
  let last = size - 1
  while (node % 2 === 1) {
    node = half(node)
    last = half(last)
  }
  let oldHash = first
  let hash = first
  for (const part of rest) {
    if (last === 0) return false
    if (node % 2 === 1 || node === last) {
      oldHash = await nodeHash(part, oldHash)
      hash = await nodeHash(part, hash)
      while (node % 2 === 0 && node !== 0) {
        node = half(node)
        last = half(last)
      }
    } else {
      hash = await nodeHash(hash, part)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && isSame(oldHash, oldRoot) && isSame(hash, root)
}

/** Not a shift, which has 32 bits. */
const half = (value: number): number => Math.floor(value / 2)

/** Reads a tile by its path below `/transparency/`, such as `tile/0/x001/067.p/3`; null if it is not there. */
export type ReadTilePath = (path: string) => Promise<Uint8Array | null>

/** Makes a consistency proof from tiles; null if one is missing. What it is worth, `isConsistent` says. */
export async function proofFromTiles(
  readPath: ReadTilePath,
  oldSize: number,
  size: number,
): Promise<Uint8Array[] | null> {
  const path: Uint8Array[] = []
  if (oldSize === 0 || oldSize === size) return path
  try {
    let [from, to] = [0, size]
    let isOldRoot = true
    while (oldSize < to) {
      const middle = from + splitOf(to - from)
      const isLeft = oldSize <= middle
      path.unshift(await (isLeft ? rangeHash(readPath, size, middle, to) : rangeHash(readPath, size, from, middle)))
      if (isLeft) to = middle
      else {
        from = middle
        isOldRoot = false
      }
    }
    if (!isOldRoot) path.unshift(await rangeHash(readPath, size, from, to))
    return path
  } catch (error) {
    if (error instanceof NoTile) return null
    throw error
  }
}

class NoTile extends Error {}

const splitOf = (count: number): number => 2 ** (Math.ceil(Math.log2(count)) - 1)

async function rangeHash(readPath: ReadTilePath, size: number, from: number, to: number): Promise<Uint8Array> {
  const count = to - from
  const height = Math.log2(count)
  if (Number.isInteger(height)) return subtreeHash(readPath, size, height, from / count)
  const middle = from + splitOf(count)
  return nodeHash(await rangeHash(readPath, size, from, middle), await rangeHash(readPath, size, middle, to))
}

async function subtreeHash(readPath: ReadTilePath, size: number, height: number, index: number): Promise<Uint8Array> {
  const level = Math.floor(height / 8)
  const width = 2 ** (height % 8)
  const tile = Math.floor((index * width) / 256)
  const offset = (index * width) % 256
  const present = Math.min(256, Math.floor(size / 256 ** level) - tile * 256)
  const hashes = (await readPath(tilePath(level, tile, present))) ?? (await readPath(tilePath(level, tile, 256)))
  if (!hashes || hashes.length < (offset + width) * 32) throw new NoTile()
  return fullRoot(hashes.subarray(offset * 32, (offset + width) * 32))
}

async function fullRoot(hashes: Uint8Array): Promise<Uint8Array> {
  if (hashes.length === 32) return hashes
  const middle = hashes.length / 2
  return nodeHash(await fullRoot(hashes.subarray(0, middle)), await fullRoot(hashes.subarray(middle)))
}

/** The path of C2SP tlog-tiles. */
function tilePath(level: number, index: number, width: number): string {
  const groups: string[] = []
  for (let rest = index; groups.length === 0 || rest > 0; rest = Math.floor(rest / 1000)) {
    groups.unshift(`${groups.length === 0 ? '' : 'x'}${String(rest % 1000).padStart(3, '0')}`)
  }
  return `tile/${level}/${groups.join('/')}${width === 256 ? '' : `.p/${width}`}`
}
