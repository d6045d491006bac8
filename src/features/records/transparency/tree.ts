import { hash } from 'node:crypto'

/** The tree of RFC 9162, over tiles of 256 hashes as C2SP tlog-tiles cuts them. */

export const hashBytes = 32
export const tileWidth = 256
const tileHeight = 8

/** At least `width` hashes of a tile, one after the other. */
export type ReadTile = (level: number, index: number, width: number) => Promise<Uint8Array>

export interface Tile {
  readonly level: number
  readonly index: number
  /** Up to 256 hashes. */
  readonly hashes: Uint8Array
}

export const leafHash = (...data: readonly Uint8Array[]): Buffer => sha256(leafPrefix, ...data)

const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(nodePrefix, left, right)

const sha256 = (...parts: readonly Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer')

const leafPrefix = Buffer.of(0)
const nodePrefix = Buffer.of(1)
const emptyRoot = sha256()

/** Writes a hash where it belongs. As text, because a Buffer for each hash takes twice the time of the hash itself. */
export const writeHash = (data: Uint8Array, into: Buffer, at: number): void =>
  void into.write(hash('sha256', data, 'binary'), at, 'latin1')

/** The root of the first `size` leaves. */
export const rootOf = async (read: ReadTile, size: number): Promise<Buffer> =>
  size === 0 ? emptyRoot : rangeHash(eachOnce(read, size), 0, size)

/** The hashes that lead from a leaf to the root of the first `size` leaves, from the bottom up. */
export async function inclusionProof(read: ReadTile, index: number, size: number): Promise<Buffer[]> {
  const path: Buffer[] = []
  const tiles = eachOnce(read, size)
  let [from, to] = [0, size]
  while (to - from > 1) {
    const middle = from + splitOf(to - from)
    const isLeft = index < middle
    path.unshift(await (isLeft ? rangeHash(tiles, middle, to) : rangeHash(tiles, from, middle)))
    if (isLeft) to = middle
    else from = middle
  }
  return path
}

/** The hashes that show that the first `old` leaves begin the first `size` ones. */
export async function consistencyProof(read: ReadTile, old: number, size: number): Promise<Buffer[]> {
  const path: Buffer[] = []
  if (old === 0 || old === size) return path
  const tiles = eachOnce(read, size)
  let [from, to] = [0, size]
  let isOldRoot = true
  while (old < to) {
    const middle = from + splitOf(to - from)
    const isLeft = old <= middle
    path.unshift(await (isLeft ? rangeHash(tiles, middle, to) : rangeHash(tiles, from, middle)))
    if (isLeft) to = middle
    else {
      from = middle
      isOldRoot = false
    }
  }
  if (!isOldRoot) path.unshift(await rangeHash(tiles, from, to))
  return path
}

/** Reads a tile once, as wide as it is in a tree of this size: a proof takes several hashes of the same tile. */
function eachOnce(read: ReadTile, size: number): ReadTile {
  const tiles = new Map<string, Promise<Uint8Array>>()
  return (level, index) => {
    const place = `${level}/${index}`
    const tile = tiles.get(place) ?? read(level, index, widthOf(level, index, size))
    tiles.set(place, tile)
    return tile
  }
}

/** The largest power of two below a number. */
const splitOf = (count: number): number => 2 ** (Math.ceil(Math.log2(count)) - 1)

const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count))

async function rangeHash(read: ReadTile, from: number, to: number): Promise<Buffer> {
  const count = to - from
  if (isPowerOfTwo(count)) return subtreeHash(read, Math.log2(count), from / count)
  const middle = from + splitOf(count)
  return nodeHash(await rangeHash(read, from, middle), await rangeHash(read, middle, to))
}

/** The root of a full subtree of 2^height leaves. */
async function subtreeHash(read: ReadTile, height: number, index: number): Promise<Buffer> {
  const width = 2 ** (height % tileHeight)
  const offset = (index * width) % tileWidth
  const tile = await read(Math.floor(height / tileHeight), Math.floor((index * width) / tileWidth), offset + width)
  return rootIn(tile, offset, width)
}

/** Roots inside tiles that are in memory. To hash them each time would double the time of a proof. */
const rootsIn = new WeakMap<Uint8Array, Map<string, Buffer>>()
/** Smaller ones are not worth their memory. */
const minCachedHashes = 8

function rootIn(tile: Uint8Array, offset: number, width: number): Buffer {
  if (width < minCachedHashes) return fullRoot(tile.subarray(offset * hashBytes, (offset + width) * hashBytes))
  const known = rootsIn.get(tile) ?? new Map<string, Buffer>()
  rootsIn.set(tile, known)
  const place = `${offset}/${width}`
  const half = width / 2
  const root = known.get(place) ?? nodeHash(rootIn(tile, offset, half), rootIn(tile, offset + half, half))
  known.set(place, root)
  return root
}

const node = Buffer.alloc(1 + 2 * hashBytes, nodePrefix)

/** The root of a power of two of hashes. */
export function fullRoot(hashes: Uint8Array): Buffer {
  const level = Buffer.from(hashes)
  for (let width = hashes.length / hashBytes; width > 1; width /= 2) {
    for (let at = 0; at < width / 2; at += 1) {
      level.copy(node, 1, 2 * at * hashBytes, 2 * (at + 1) * hashBytes)
      writeHash(node, level, at * hashBytes)
    }
  }
  return level.subarray(0, hashBytes)
}

/** How many hashes a level of tiles has, in a tree of this size. */
const hashesOn = (level: number, size: number): number => Math.floor(size / tileWidth ** level)

/** How many hashes a tile has, in a tree of this size; 0 if it is not there. */
export const widthOf = (level: number, index: number, size: number): number =>
  Math.max(0, Math.min(tileWidth, hashesOn(level, size) - index * tileWidth))

/** The last tile of each level, if it is not full: enough to append to a tree, and to know its root. */
export type RightEdge = readonly Uint8Array[]

/** How many hashes the right edge of a tree has on each level. */
export function edgeWidths(size: number): number[] {
  const widths: number[] = []
  for (let rest = size; rest > 0; rest = Math.floor(rest / tileWidth)) widths.push(rest % tileWidth)
  return widths
}

export const readEdge = (read: ReadTile, size: number): Promise<Uint8Array[]> =>
  Promise.all(
    edgeWidths(size).map(async (width, level) => {
      if (width === 0) return empty
      const tile = await read(level, Math.floor(hashesOn(level, size) / tileWidth), width)
      return tile.subarray(0, width * hashBytes)
    }),
  )

const empty = Buffer.alloc(0)

/** Appends leaves, one hash after the other, to a tree of this size. Returns the tiles that changed, whole, and the new root. */
export function appendLeaves(edge: RightEdge, size: number, leaves: Uint8Array): { tiles: Tile[]; root: Buffer } {
  const tiles: Tile[] = []
  const newEdge = [...edge]
  let added = leaves
  for (let level = 0; added.length > 0; level += 1) {
    const hashes = Buffer.concat([edge[level] ?? empty, added])
    const first = Math.floor(hashesOn(level, size) / tileWidth)
    const full = Math.floor(hashes.length / tileBytes)
    const roots = Buffer.alloc(full * hashBytes)
    for (let tile = 0; tile < full; tile += 1) {
      const whole = hashes.subarray(tile * tileBytes, (tile + 1) * tileBytes)
      tiles.push({ level, index: first + tile, hashes: whole })
      fullRoot(whole).copy(roots, tile * hashBytes)
    }
    const rest = hashes.subarray(full * tileBytes)
    if (rest.length > 0) tiles.push({ level, index: first + full, hashes: rest })
    newEdge[level] = rest
    added = roots
  }
  return { tiles, root: edgeRoot(newEdge) }
}

const tileBytes = tileWidth * hashBytes

/** The root of a tree, from its right edge: every full subtree to the left of it is a hash in one of its tiles. */
function edgeRoot(edge: RightEdge): Buffer {
  let root: Buffer | null = null
  for (const hashes of edge) {
    // From the right: the smallest full subtree is the last.
    for (let width = hashes.length / hashBytes; width > 0; ) {
      const part = lowestBit(width)
      const left = fullRoot(hashes.subarray((width - part) * hashBytes, width * hashBytes))
      root = root === null ? left : nodeHash(left, root)
      width -= part
    }
  }
  return root ?? emptyRoot
}

const lowestBit = (number: number): number => number & -number
