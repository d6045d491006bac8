import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyConsistency } from '../../../../sdk/src/index.ts'
import { isConsistent, rootOfInclusion } from '../../../../sdk/src/merkle.ts'
import { signCheckpoint } from '../../../../src/features/records/transparency/note.ts'
import { tileOf } from '../../../../src/features/records/transparency/routes.ts'
import {
  appendLeaves,
  consistencyProof,
  inclusionProof,
  leafHash,
  type ReadTile,
  rootOf,
} from '../../../../src/features/records/transparency/tree.ts'
import { leaf, mth, rootByPath, rootsByProof } from '../../../../testkit/receipts/rfc-tree.ts'

const nothing: ReadTile = () => Promise.reject(new Error('there is no tile'))
const treeOf = (leaves: readonly Buffer[]): ReadTile => {
  const { tiles } = appendLeaves([], 0, Buffer.concat(leaves))
  return async (level, index) => tiles.find((tile) => tile.level === level && tile.index === index)!.hashes
}

/** The reference tree of Certificate Transparency, which every implementation of RFC 6962 and 9162 is tested with. */
describe('the published tree of eight leaves', () => {
  const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const roots = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  const nodes = {
    a: '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    b: '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    c: '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    d: 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    e: 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    f: '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
  }
  const leaves = inputs.map((input) => leafHash(Buffer.from(input, 'hex')))
  const hexOf = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'))

  test('the published tree of eight leaves has the published roots, with both implementations', async () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    expect((await rootOf(nothing, 0)).toString('hex')).toBe(empty)
    const read = treeOf(leaves)
    for (const [index, root] of roots.entries()) {
      expect((await rootOf(read, index + 1)).toString('hex')).toBe(root)
      expect(mth(inputs.slice(0, index + 1).map((input) => leaf(Buffer.from(input, 'hex')))).toString('hex')).toBe(root)
    }
  })

  test('the published tree of eight leaves has the published inclusion proofs', async () => {
    const read = treeOf(leaves)
    const proof = async (index: number, size: number) => hexOf(await inclusionProof(read, index, size))
    expect(await proof(0, 1)).toEqual([])
    expect(await proof(0, 8)).toEqual([nodes.a, nodes.b, nodes.c])
    expect(await proof(5, 8)).toEqual([nodes.d, nodes.e, roots[3]])
    expect(await proof(2, 3)).toEqual([roots[1]])
    expect(await proof(1, 5)).toEqual([roots[0], nodes.b, nodes.d])
  })

  test('the published tree of eight leaves has the published consistency proofs', async () => {
    const read = treeOf(leaves)
    const proof = async (old: number, size: number) => hexOf(await consistencyProof(read, old, size))
    expect(await proof(1, 1)).toEqual([])
    expect(await proof(1, 8)).toEqual([nodes.a, nodes.b, nodes.c])
    expect(await proof(6, 8)).toEqual([nodes.f, nodes.e, roots[3]])
    expect(await proof(2, 5)).toEqual([nodes.b, nodes.d])
  })

  test('the published tree of eight leaves proves every leaf and every beginning of every size to both verifiers, and nothing else', async () => {
    const read = treeOf(leaves)
    for (let size = 1; size <= 8; size += 1) {
      const root = Buffer.from(roots[size - 1]!, 'hex')
      for (let index = 0; index < size; index += 1) {
        const proof = await inclusionProof(read, index, size)
        expect(rootByPath(leaves[index]!, index, size, proof).equals(root)).toBe(true)
        expect(Buffer.from((await rootOfInclusion({ leaf: leaves[index]!, index, size, proof }))!)).toEqual(root)
        const wrong = { leaf: leaves[index]!, index: (index + 1) % size, size, proof }
        const found = size === 1 ? null : await rootOfInclusion(wrong)
        expect(found !== null && Buffer.from(found).equals(root)).toBe(false)
      }
      for (let old = 1; old <= size; old += 1) {
        const oldRoot = Buffer.from(roots[old - 1]!, 'hex')
        const proof = await consistencyProof(read, old, size)
        expect(await isConsistent({ oldSize: old, oldRoot, size, root, proof })).toBe(true)
        expect(
          rootsByProof(oldRoot, old, size, proof).map((hash) => hash.equals(root) || hash.equals(oldRoot)),
        ).toEqual([...[true, true]])
        const more = [...proof, leaves[0]!]
        expect(await isConsistent({ oldSize: old, oldRoot, size, root, proof: more })).toBe(false)
      }
    }
  })

  test('paths of tiles are those of the C2SP text', () => {
    expect(tileOf('0/x001/x234/067')).toEqual({ level: 0, index: 1_234_067, width: 256 })
    expect(tileOf('1/273.p/112')).toEqual({ level: 1, index: 273, width: 112 })
  })
})

describe('two payers who were shown two views', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const jwk = publicKey.export({ format: 'jwk' })
  const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: jwk.x!, kid: 'k' }] }
  const signer = { privateKey, publicKey: Buffer.from(jwk.x!, 'base64url') }
  const leavesOf = (seed: string, count: number) =>
    Array.from({ length: count }, (_, at) => leafHash(Buffer.from(`${seed} ${at}`)))
  const shared = leavesOf('shared', 300)
  const one = [...shared, ...leavesOf('one', 40)]
  const other = [...shared, ...leavesOf('other', 90)]
  const checkpoint = async (leaves: readonly Buffer[], size = leaves.length) => {
    const root = await rootOf(treeOf(leaves), size)
    return signCheckpoint({ origin: 'gateway.example/transparency', size, root }, [signer])
  }
  const proofIn = async (leaves: readonly Buffer[], old: number, size: number) =>
    (await consistencyProof(treeOf(leaves), old, size)).map((hash) => hash.toString('base64'))

  test('two payers who were shown two views find out by comparing their checkpoints, whatever proof they are given', async () => {
    const [a, b, sameSize] = await Promise.all([checkpoint(one), checkpoint(other), checkpoint(other, 340)])
    for (const proof of [await proofIn(one, 300, 340), await proofIn(other, 340, 390), []]) {
      expect(await verifyConsistency(a, b, proof, { jwks })).toMatchObject({ ok: false })
      expect(await verifyConsistency(a, sameSize, proof, { jwks })).toMatchObject({ ok: false })
    }
    // Up to where the views part, both are right.
    const before = await checkpoint(shared)
    expect(await verifyConsistency(before, a, await proofIn(one, 300, 340), { jwks })).toMatchObject({ ok: true })
    expect(await verifyConsistency(before, b, await proofIn(other, 300, 390), { jwks })).toMatchObject({ ok: true })
  })
})
