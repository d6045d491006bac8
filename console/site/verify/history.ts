import { proofFromTiles, type ReadTilePath } from '../../../sdk/src/merkle.ts'
import type { Jwks } from '../../../sdk/src/signed.ts'
import { type Verification, verifyConsistency, verifyReceipt, verifyStatement } from '../../../sdk/src/verify.ts'
import { originIn, sizeIn } from './seen.ts'

export interface CheckedDocument extends Verification {
  /** No older checkpoint of the log was known, so that nothing can be said about its history. */
  readonly isFirst: boolean
}

interface CheckOptions {
  readonly jwks: Jwks
  readonly tiles: ReadTilePath
  /** Checkpoints of the current log that were seen before, the oldest first. */
  readonly seen: readonly string[]
}

/** Verifies a receipt or a statement, and compares its checkpoint with the oldest one that was seen. */
export async function checkDocument(jws: string, { jwks, tiles, seen }: CheckOptions): Promise<CheckedDocument> {
  const verify = typeOf(jws) === 'statement+jws' ? verifyStatement : verifyReceipt
  const checked = await verify(jws, { jwks })
  const own = checked.payload?.checkpoint
  if (!checked.ok || typeof own !== 'string') return { ...checked, isFirst: false }
  const [oldest] = seen
  if (oldest === undefined || isSameTree(oldest, own)) return { ...checked, isFirst: true }
  const isOlder = originIn(oldest) === originIn(own) && sizeIn(own) < sizeIn(oldest)
  // A receipt that was kept is older than what this browser has seen: then the log seen must begin with the receipt's.
  if (isOlder) return { ...(await withOlder(checked, { own, oldest, jwks, tiles })), isFirst: false }
  return { ...(await verify(jws, { jwks, tiles, since: oldest })), isFirst: false }
}

interface OlderOptions extends Pick<CheckOptions, 'jwks' | 'tiles'> {
  readonly own: string
  readonly oldest: string
}

async function withOlder(checked: Verification, { own, oldest, jwks, tiles }: OlderOptions): Promise<Verification> {
  const proof = await proofFromTiles(tiles, sizeIn(own), sizeIn(oldest))
  const base64 = (proof ?? []).map((hash) => btoa(String.fromCharCode(...hash)))
  const { steps } = await verifyConsistency(own, oldest, base64, { jwks })
  const step = steps.find(({ name }) => name === 'consistency') ?? steps[0]!
  return { ...checked, ok: checked.ok && step.ok, steps: [...checked.steps, { ...step, name: 'consistency' }] }
}

/** The same log at the same size; a different root is for the verifier to judge. */
const isSameTree = (a: string, b: string): boolean => a.split('\n\n')[0] === b.split('\n\n')[0]

function typeOf(jws: string): string | null {
  try {
    return JSON.parse(atob(jws.split('.')[0]!.replaceAll('-', '+').replaceAll('_', '/'))).typ
  } catch {
    return null
  }
}
