import { isConsistent, isSame, leafHash, proofFromTiles, type ReadTilePath, rootOfInclusion, sha256 } from './merkle.ts'
import {
  bytesOf,
  canonical,
  hex,
  isRevokedIn,
  isSignedBy,
  type Jwk,
  type Jwks,
  type OpenedCheckpoint,
  openCheckpoint,
  text,
} from './signed.ts'

export type { Jwk, Jwks } from './signed.ts'

export interface VerificationStep {
  readonly name: 'signature' | 'canonical' | 'payment' | 'inclusion' | 'checkpoint' | 'consistency'
  readonly ok: boolean
  readonly detail: string
}

export interface Verification {
  /** Whether every step passed. */
  readonly ok: boolean
  readonly steps: readonly VerificationStep[]
  /** What was signed; null if it cannot be read. Trust it only if `ok`. */
  readonly payload: Readonly<Record<string, unknown>> | null
}

export interface VerifyOptions {
  readonly jwks: Jwks
  /** A checkpoint that you kept: the tree must still begin with it. */
  readonly since?: string
  /** Reads tiles, where the document does not have the proof since that checkpoint. */
  readonly tiles?: ReadTilePath
}

/** Verifies a signed receipt, offline: who signed it, and that its entries are in the tree of its checkpoint. */
export async function verifyReceipt(jws: string, options: VerifyOptions): Promise<Verification> {
  const { steps, payload } = await signedSteps(jws, 'receipt+jws', options.jwks)
  if (!payload) return verification(steps, null)
  const payment = paymentStep(payload)
  if (payment) steps.push(payment)
  const checkpoint = await checkpointStep(payload, options.jwks)
  steps.push(await inclusionStep(payload, checkpoint.opened), checkpoint.step)
  if (options.since !== undefined) steps.push(await sinceStep(payload, checkpoint.opened, options.since, options))
  return verification(steps, payload)
}

export interface VerifyStatementOptions extends VerifyOptions {
  /** The lines of the `.jsonl` of the same month: then the sums and the digest are computed again. */
  readonly entries?: string
}

/** Verifies a signed statement of a month. */
export async function verifyStatement(jws: string, options: VerifyStatementOptions): Promise<Verification> {
  const { steps, payload } = await signedSteps(jws, 'statement+jws', options.jwks)
  if (!payload) return verification(steps, null)
  if (options.entries !== undefined) steps.push(await entriesStep(payload, options.entries))
  const checkpoint = await checkpointStep(payload, options.jwks)
  steps.push(checkpoint.step)
  if (options.since !== undefined) steps.push(await sinceStep(payload, checkpoint.opened, options.since, options))
  return verification(steps, payload)
}

/** Verifies that the tree of one checkpoint begins with the tree of an older one. The proof is in standard base64. */
export async function verifyConsistency(
  old: string,
  newer: string,
  proof: readonly string[],
  { jwks }: Pick<VerifyOptions, 'jwks'>,
): Promise<Verification> {
  const opened = await openCheckpoint(newer, jwks)
  const steps = [checkpointResult(opened)]
  if (opened.ok) steps.push(await consistencyStep(old, opened, proof, jwks))
  return verification(steps, null)
}

const verification = (steps: readonly VerificationStep[], payload: Verification['payload']): Verification => ({
  ok: steps.every(({ ok }) => ok),
  steps,
  payload,
})

type Payload = Readonly<Record<string, unknown>>

async function signedSteps(jws: string, typ: string, jwks: Jwks) {
  const steps: VerificationStep[] = []
  const add = (name: VerificationStep['name'], ok: boolean, detail: string) => void steps.push({ name, ok, detail })
  const parts = jws.trim().split('.')
  const [head = '', body = '', signature = ''] = parts
  let payload: Payload | null = null
  try {
    const header = JSON.parse(text(bytesOf(head)))
    const isHeader = canonical(header) === canonical({ alg: 'EdDSA', kid: header.kid, typ })
    const isRevoked = isRevokedIn(jwks, header.kid)
    const key = isRevoked ? undefined : jwks.keys.find(({ kid }) => kid === header.kid)
    const input = new TextEncoder().encode(`${head}.${body}`)
    const isSigned = parts.length === 3 && key !== undefined && (await isSignedBy(key, input, bytesOf(signature)))
    const signed = text(bytesOf(body))
    payload = JSON.parse(signed) as Payload
    const isInTime = key !== undefined && signsAt(key, String(payload.issuedAt))
    add(
      'signature',
      isHeader && isSigned && isInTime,
      signatureDetail({ isHeader, key, isRevoked, isSigned, isInTime, typ }),
    )
    const isCanonical = canonical(payload) === signed
    add('canonical', isCanonical, isCanonical ? 'The JSON is in canonical form.' : 'The JSON is not canonical.')
  } catch {
    if (steps.length === 0) add('signature', false, 'This is not a signed document.')
    payload = null
  }
  return { steps, payload }
}

function signatureDetail({
  isHeader,
  key,
  isRevoked,
  isSigned,
  isInTime,
  typ,
}: {
  isHeader: boolean
  isRevoked: boolean
  key: Jwk | undefined
  isSigned: boolean
  isInTime: boolean
  typ: string
}): string {
  if (!isHeader) return `The header is not that of a ${typ} document.`
  if (isRevoked)
    return 'The signing key was revoked: whoever has it can backdate documents. Request the document again.'
  if (!key) return 'The signing key is not among the given keys.'
  if (!isSigned) return 'The signature does not match: the document was changed, or another key signed it.'
  return isInTime ? `Signed by key ${key.kid}.` : 'The key was not in use at that time.'
}

export interface OrderPayment {
  readonly orderFen: number
  readonly paidFen: number
  /** Receipts of 0.2.0 and older state only the order. If its amount differs, the credits say what was paid. */
  readonly isOrderOnly: boolean
}

/** The exchange rate of every price version so far. */
const fenPerCredit = 10

/** What was paid for a credited order; null for other receipts. */
export function paymentIn({ type, state, amountFen, paidFen, credits }: Payload): OrderPayment | null {
  if (type !== 'order' || state !== 'credited') return null
  const orderFen = Number(amountFen)
  if (paidFen !== undefined) return { orderFen, paidFen: Number(paidFen), isOrderOnly: false }
  const boughtFen = Number(credits) * fenPerCredit
  return { orderFen, paidFen: boughtFen, isOrderOnly: boughtFen !== orderFen }
}

/** Credits are bought with what was paid, which may differ from the order. */
function paymentStep(payload: Payload): VerificationStep | null {
  const payment = paymentIn(payload)
  if (!payment) return null
  const { orderFen, paidFen, isOrderOnly } = payment
  const [paid, order, credits] = [yuanOf(paidFen), yuanOf(orderFen), String(payload.credits)]
  const ok = paidFen === Number(credits) * fenPerCredit
  const detail = !ok
    ? `The receipt states ${paid} yuan and ${credits} credits, which cost ${yuanOf(Number(credits) * fenPerCredit)} yuan.`
    : isOrderOnly
      ? `The receipt is older and states only the order, ${order} yuan, but its ${credits} credits were bought with ${paid} yuan. Request it again for one that says so.`
      : `${paid} yuan was paid for the order of ${order} yuan, and buys its ${credits} credits.`
  return { name: 'payment', ok, detail }
}

const yuanOf = (fen: number): string => (fen / 100).toFixed(2)

/** A minute of tolerance: clocks of instances differ. */
const toleranceMs = 60_000

function signsAt({ iat, exp }: Jwk, issuedAt: string): boolean {
  const at = Date.parse(issuedAt)
  if (Number.isNaN(at)) return false
  return at >= (iat ?? 0) * 1000 - toleranceMs && (exp === undefined || at <= exp * 1000 + toleranceMs)
}

interface ProvenEntry {
  readonly entry: Payload
  readonly salt: string
  /** Instead of entry and salt, for a key that may not read the balance: the hash of the leaf, with kind and number. */
  readonly leaf?: string
  readonly kind?: string
  readonly seq?: number
  readonly index: number | null
  readonly proof: readonly string[] | null
}

async function inclusionStep(payload: Payload, checkpoint: OpenedCheckpoint | null): Promise<VerificationStep> {
  const step = (ok: boolean, detail: string): VerificationStep => ({ name: 'inclusion', ok, detail })
  const entries = payload.entries as readonly ProvenEntry[] | undefined
  if (!Array.isArray(entries)) return step(false, 'The receipt has no entries.')
  const shown = entries.filter(({ leaf }) => leaf === undefined)
  const foreign = shown.find(({ entry }) => !isOf(entry, payload, shown[0]!.entry))
  if (foreign) return step(false, `Entry ${String(foreign.entry?.seq)} does not belong to this receipt.`)
  const kinds = entries.map(({ entry, leaf, kind }) => String(leaf === undefined ? entry.kind : kind))
  if (!isStateOf(payload, kinds)) {
    return step(false, `The state ${String(payload.state)} is not what the entries (${kinds.join(', ')}) say.`)
  }
  if (payload.status !== 'included') {
    return step(false, 'Pending: the entries are not in the tree yet. Request the receipt again in a few seconds.')
  }
  if (!checkpoint?.ok || entries.length === 0) return step(false, 'There is no checkpoint to check the proofs against.')
  for (const { index, proof, ...given } of entries) {
    const seq = String(given.seq ?? given.entry.seq)
    if (index === null || proof === null) return step(false, `Entry ${seq} has no proof.`)
    const leaf = await leafOf(given)
    const root = await rootOfInclusion({ leaf, index, size: checkpoint.size, proof: proof.map(bytesOf) })
    if (!root || !isSame(root, checkpoint.root)) {
      return step(false, `Entry ${seq} is not leaf ${index} of the tree.`)
    }
  }
  const places = entries.map(({ index }) => index).join(', ')
  return step(true, `${entries.length} ledger entries are in the tree, as leaves ${places} of ${checkpoint.size}.`)
}

const leafOf = async ({ entry, salt, leaf }: Pick<ProvenEntry, 'entry' | 'salt' | 'leaf'>): Promise<Uint8Array> =>
  leaf === undefined ? leafHash(new TextEncoder().encode(canonical(entry)), bytesOf(salt)) : bytesOf(leaf)

/** The state of a charge is what its last entry made of it, so that a receipt cannot call a settled charge released. */
function isStateOf({ type, state }: Payload, kinds: readonly string[]): boolean {
  if (type === 'charge') return stateAfter[kinds.at(-1) ?? ''] === state
  return type !== 'order' || state !== 'credited' || kinds[0] === 'credit'
}

const stateAfter: Readonly<Record<string, string>> = {
  ...{ reserve: 'reserved', settle: 'settled', release: 'released', review: 'manual_review' },
}

/** An entry of another call would prove nothing about this one. */
function isOf(
  entry: Payload | undefined,
  { type, projectId, chargeId, credits, seq }: Payload,
  first: Payload,
): boolean {
  if (!entry || entry.projectId !== projectId) return false
  // What follows the credit of an order are refunds of parts of it.
  const isRefund = type === 'order' && entry !== first && String(entry.kind) in refundKinds
  if (!isRefund && entry.amount !== credits) return false
  if (type === 'charge') return entry.chargeId === chargeId
  if (type !== 'order') return entry.seq === seq
  return (isRefund || entry.kind === 'credit') && entry.creditLotId !== null && entry.creditLotId === first.creditLotId
}

const refundKinds = { reserve: true, release: true, withdraw: true }

async function entriesStep(payload: Payload, lines: string): Promise<VerificationStep> {
  const hashes: Uint8Array[] = []
  const sums: Record<string, number> = {}
  let balance = payload.opening as Payload
  let seq = payload.firstSeq as number
  let isInOrder = true
  for (const line of lines.split('\n').filter(Boolean)) {
    const { entry, salt } = JSON.parse(line) as { entry: Payload; salt: string }
    hashes.push(await leafHash(new TextEncoder().encode(canonical(entry)), bytesOf(salt)))
    sums[String(entry.kind)] = (sums[String(entry.kind)] ?? 0) + Number(entry.amount)
    isInOrder &&= entry.seq === seq && entry.projectId === payload.projectId
    seq += 1
    balance = { available: entry.available, reserved: entry.reserved }
  }
  const isRight =
    isInOrder &&
    hashes.length === payload.count &&
    hex(await sha256(...hashes)) === payload.entriesSha256 &&
    canonical(sums) === canonical(payload.sums) &&
    canonical(balance) === canonical(payload.closing)
  const detail = isRight
    ? `${hashes.length} entries give the stated sums, balance and digest.`
    : 'The entries do not add up to what the statement says.'
  return { name: 'inclusion', ok: isRight, detail }
}

async function checkpointStep(payload: Payload, jwks: Jwks) {
  if (typeof payload.checkpoint !== 'string') {
    const detail = 'There is no checkpoint yet. Try again in a few seconds.'
    return { opened: null, step: { name: 'checkpoint', ok: false, detail } as const }
  }
  const opened = await openCheckpoint(payload.checkpoint, jwks)
  const isOfIssuer = opened.origin.split('/')[0] === hostOf(payload.issuer)
  const step = isOfIssuer ? checkpointResult(opened) : { ...checkpointResult(opened), ok: false, detail: foreignOrigin }
  return { opened: { ...opened, ok: opened.ok && isOfIssuer }, step }
}

const foreignOrigin = 'The checkpoint is from another gateway.'

const hostOf = (issuer: unknown): string | null => {
  try {
    return new URL(String(issuer)).host
  } catch {
    return null
  }
}

const checkpointResult = ({ ok, origin, size }: OpenedCheckpoint): VerificationStep => ({
  name: 'checkpoint',
  ok,
  detail: ok ? `${origin} signed a tree of ${size} leaves.` : 'None of the given keys signed the checkpoint.',
})

async function sinceStep(
  payload: Payload,
  checkpoint: OpenedCheckpoint | null,
  old: string,
  { jwks, tiles }: VerifyOptions,
): Promise<VerificationStep> {
  const fault = (detail: string): VerificationStep => ({ name: 'consistency', ok: false, detail })
  if (!checkpoint?.ok) return fault('There is no checkpoint to compare with.')
  const consistency = payload.consistency as { size: number; proof: string[] } | undefined
  const kept = await openCheckpoint(old, jwks)
  // Sizes of two logs cannot be compared.
  const foreign = foreignFault(kept, checkpoint)
  if (foreign) return fault(foreign)
  if (consistency && consistency.size === kept.size) return consistencyStep(old, checkpoint, consistency.proof, jwks)
  if (kept.size === checkpoint.size || kept.size === 0) return consistencyStep(old, checkpoint, [], jwks)
  const proof = tiles && (await proofFromTiles(tiles, kept.size, checkpoint.size))
  if (proof) return consistencyStep(old, checkpoint, proof, jwks)
  return fault(
    kept.size > checkpoint.size
      ? 'The document is older than the checkpoint you kept: cannot tell offline. Request it again.'
      : `Cannot tell offline. Request the document with ?since=${kept.size}, or provide the tiles.`,
  )
}

/** Why a kept checkpoint is not one of the same log; null if it is. */
function foreignFault(kept: OpenedCheckpoint, { origin }: OpenedCheckpoint): string | null {
  if (!kept.ok) return 'None of the given keys signed the checkpoint you kept.'
  if (kept.origin === origin) return null
  const [before, after] = [logOf(kept.origin), logOf(origin)]
  if (before.name !== after.name) return `The checkpoint you kept is of another gateway, ${before.name}.`
  if (before.number > after.number) {
    return `The document is of ${origin}, from before the fork to ${kept.origin}. Request it again.`
  }
  const place = `/transparency/forks/${before.number}`
  return `A fork: the checkpoint you kept is of ${kept.origin}, the document of ${origin}. What ended the older log is at ${place}.`
}

function logOf(origin: string): { name: string; number: number } {
  const [, name = origin, number = '1'] = /^(.*\/transparency)(?:\/(\d+))?$/.exec(origin) ?? []
  return { name, number: Number(number) }
}

async function consistencyStep(
  old: string,
  checkpoint: OpenedCheckpoint,
  proof: readonly (string | Uint8Array)[],
  jwks: Jwks,
): Promise<VerificationStep> {
  const fault = (detail: string): VerificationStep => ({ name: 'consistency', ok: false, detail })
  const kept = await openCheckpoint(old, jwks)
  const foreign = foreignFault(kept, checkpoint)
  if (foreign) return fault(foreign)
  const ok = await isConsistent({
    ...{ oldSize: kept.size, oldRoot: kept.root, size: checkpoint.size, root: checkpoint.root },
    proof: proof.map((hash) => (typeof hash === 'string' ? bytesOf(hash) : hash)),
  })
  return ok
    ? { name: 'consistency', ok, detail: `The tree still begins with the ${kept.size} leaves of your checkpoint.` }
    : fault('HISTORY WAS REWRITTEN, or the proof is wrong: the tree does not begin with the one in your checkpoint.')
}
