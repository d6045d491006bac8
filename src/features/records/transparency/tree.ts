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

/** The root of a power of two of hashes. */
export function fullRoot(hashes: Uint8Array): Buffer {
  if (hashes.length === hashBytes) return Buffer.from(hashes)
  const half = hashes.length / 2
  return nodeHash(fullRoot(hashes.subarray(0, half)), fullRoot(hashes.subarray(half)))
}

/** How many hashes a level of tiles has, in a tree of this size. */
const hashesOn = (level: number, size: number): number => Math.floor(size / tileWidth ** level)

/** How many hashes a tile has, in a tree of this size; 0 if it is not there. */
export const widthOf = (level: number, index: number, size: number): number =>
  Math.max(0, Math.min(tileWidth, hashesOn(level, size) - index * tileWidth))

/** Appends leaves to a tree. Returns the tiles that changed, whole. */
export async function appendLeaves(read: ReadTile, size: number, leaves: readonly Uint8Array[]): Promise<Tile[]> {
  const changed: Tile[] = []
  let added = leaves
  for (let level = 0; added.length > 0; level += 1) {
    const before = hashesOn(level, size)
    let index = Math.floor(before / tileWidth)
    const started = before % tileWidth
    let hashes: Uint8Array[] =
      started === 0 ? [] : [(await read(level, index, started)).subarray(0, started * hashBytes)]
    let width = started
    const roots: Buffer[] = []
    for (const hash of added) {
      hashes.push(hash)
      width += 1
      if (width < tileWidth) continue
      const full = Buffer.concat(hashes)
      changed.push({ level, index, hashes: full })
      roots.push(fullRoot(full))
      index += 1
      hashes = []
      width = 0
    }
    if (width > 0) changed.push({ level, index, hashes: Buffer.concat(hashes) })
    added = roots
  }
  return changed
}

/** Reads changed tiles from memory, the others from below. */
export function withTiles(read: ReadTile, tiles: readonly Tile[]): ReadTile {
  const byPlace = new Map(tiles.map((tile) => [`${tile.level}/${tile.index}`, tile.hashes]))
  return async (level, index, width) => byPlace.get(`${level}/${index}`) ?? read(level, index, width)
}
