import { proofFromTiles } from '../../../../sdk/src/merkle.ts'
import { type Verification, verifyConsistency, verifyReceipt, verifyStatement } from '../../../../sdk/src/verify.ts'
import { oldestOf, originIn, readSeen, rememberSeen, type SeenCheckpoint, sizeIn } from '../../../site/verify/seen.ts'
import { ask, isRefused, type Reply } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { readCheckpoint, readJwks, readTile } from '../../api/public-log.ts'
import { asBlob, asFile, entriesOf, statementOf } from './statement-files.ts'

/** Whose receipt: of a call or media job, an order, a ledger entry, or the statement of a month. */
export type ReceiptOf =
  | { readonly chargeId: string }
  | { readonly orderId: string }
  | { readonly seq: number }
  | { readonly month: string }

/** This browser has no Ed25519, or the page was loaded without TLS. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify'
}

const remember = (note: string): void => rememberSeen(localStorage, note, new Date().toISOString())

/** Downloads a receipt and verifies it here, against the oldest checkpoint of the log that this browser has seen. */
export async function checkReceipt(of: ReceiptOf): Promise<Verification> {
  await assertAble()
  const [jwks, now] = await Promise.all([readJwks(), readCheckpoint()])
  const kept = now === null ? undefined : oldestOf(localStorage, originIn(now))
  const since = kept === undefined ? {} : { since: String(sizeIn(kept)) }
  const jws = await read(of, since).catch((error) => {
    // The tree is smaller than the one that this browser has seen: the verifier says what that means.
    if (!isRefused(error, 'SINCE_INVALID')) throw error
    return read(of, {})
  })
  const options = { jwks, tiles: readTile, ...(kept !== undefined && { since: kept }) }
  const checked =
    'month' in of
      ? await verifyStatement(jws, { ...options, entries: await text(entriesOf(of.month)) })
      : await verifyReceipt(jws, options)
  if (checked.ok) remember(String(checked.payload!.checkpoint))
  return checked
}

const text = async (send: () => Reply<Blob>): Promise<string> => (await ask(send)).text()

function read(of: ReceiptOf, query: { since?: string }): Promise<string> {
  if ('chargeId' in of) {
    return text(() =>
      asBlob(gateway.GET('/console/usage/{chargeId}/receipt.jws', asFile({ chargeId: of.chargeId }, query))),
    )
  }
  if ('orderId' in of) {
    return text(() =>
      asBlob(gateway.GET('/console/orders/{orderId}/receipt.jws', asFile({ orderId: of.orderId }, query))),
    )
  }
  if ('seq' in of) {
    return text(() => asBlob(gateway.GET('/console/ledger/{seq}/receipt.jws', asFile({ seq: String(of.seq) }, query))))
  }
  return text(statementOf(of.month, query))
}

/** How a checkpoint seen before relates to the current one. */
export type CheckpointState = 'current' | 'consistent' | 'otherLog' | 'rewritten' | 'unknown'

export interface JudgedCheckpoint extends SeenCheckpoint {
  readonly standing: CheckpointState
}

/** Reads the current checkpoint and compares every one seen before with it, newest first. */
export async function checkSeen(): Promise<JudgedCheckpoint[]> {
  await assertAble()
  const [jwks, now] = await Promise.all([readJwks(), readCheckpoint()])
  const tiles = new Map<string, Promise<Uint8Array | null>>()
  const readOnce = (path: string) => {
    const known = tiles.get(path) ?? readTile(path)
    tiles.set(path, known)
    return known
  }
  const standing = async (note: string): Promise<CheckpointState> => {
    if (now === null) return 'unknown'
    if (note === now) return 'current'
    if (originIn(note) !== originIn(now)) return 'otherLog'
    if (sizeIn(note) > sizeIn(now)) return 'rewritten'
    const proof = await proofFromTiles(readOnce, sizeIn(note), sizeIn(now))
    if (!proof) return 'unknown'
    const { ok } = await verifyConsistency(note, now, proof.map(base64), { jwks })
    return ok ? 'consistent' : 'rewritten'
  }
  const before = readSeen(localStorage)
  if (now !== null && (await verifyConsistency(now, now, [], { jwks })).ok) remember(now)
  const judged: JudgedCheckpoint[] = []
  const isNew = now !== null && !before.some(({ note }) => note === now)
  const seen = isNew ? [...before, { note: now, at: new Date().toISOString() }] : before
  for (const one of seen) judged.push({ ...one, standing: await standing(one.note) })
  return judged.toReversed()
}

const base64 = (hash: Uint8Array): string => btoa(String.fromCharCode(...hash))

/** Any valid public key. */
const anyPublicKey = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'

async function assertAble(): Promise<void> {
  try {
    await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x: anyPublicKey }, 'Ed25519', false, ['verify'])
  } catch (error) {
    throw new CannotVerify('no Ed25519', { cause: error })
  }
}
