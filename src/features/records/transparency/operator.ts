import type { Keyring } from '../../../base/keyring.ts'
import { hourMs } from '../../../base/time.ts'
import { operatorRefusal } from '../../../contract/error-codes/operators.ts'
import { type Actor, noteOf } from '../../../operator-kit/actor.ts'
import { createActionStore } from '../../../operator-kit/store.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import type { Writer } from '../../../storage/engine.ts'
import { proveHead } from './audit-heads.ts'
import { type Fork, forkLog } from './fork.ts'
import { type Keeper, keepersServer, waiveKeepers } from './keepers.ts'
import type { Published } from './publisher.ts'
import { revokeSigningKey, rotateSigningKey } from './signing-keys.ts'

type TransparencyActing = Pick<FeatureContext, 'engine' | 'clock'>

const operatedLog = (engine: TransparencyActing['engine']) =>
  createActionStore(
    engine,
    () => ({}),
    (tx: Writer) => ({
      rotateSigningKey: (keyring: Keyring, times: Parameters<typeof rotateSigningKey>[2]) =>
        rotateSigningKey(tx, keyring, times),
      revokeSigningKey: (kid: string, at: number) => revokeSigningKey(tx, kid, at),
      forkLog: (given: Parameters<typeof forkLog>[1]) => forkLog(tx, given),
      waiveKeepers: async () => waiveKeepers(tx, await keepersServer(tx, engine.kind)),
    }),
  )

export interface RotateSigningKeyRequest {
  readonly reason: string
  /** How long the key before signs checkpoints too. */
  readonly overlapHours: number
  /** The key that has leaked, `true` for the one before: nothing that it signed counts any more. */
  readonly leaked?: string | true | undefined
}

/** Replaces the key that signs receipts and checkpoints. Running gateways use the new one within seconds. */
export async function rotateReceiptKey(
  { engine, readKeyring, clock }: TransparencyActing & { readonly readKeyring: () => Promise<Keyring> },
  actor: Actor,
  { reason, overlapHours, leaked }: RotateSigningKeyRequest,
): Promise<{ readonly before: string; readonly after: string; readonly revoked: string | null }> {
  const keyring = await readKeyring()
  const at = clock()
  return operatedLog(engine).write(async (tx) => {
    const keys = await tx.rotateSigningKey(keyring, { at, overlapUntil: at + overlapHours * hourMs })
    const revoked = leaked === true ? keys.before : (leaked ?? null)
    if (revoked !== null && (await tx.revokeSigningKey(revoked, at)) === 0)
      throw operatorRefusal('SIGNING_KEY_NOT_FOUND', `There is no signing key ${revoked}, or it was revoked before.`)
    const note = noteOf(actor, { action: 'receipts.rotate_key', object: keys.after, reason }, at)
    await tx.audit({
      ...note,
      at,
      before: { kid: keys.before },
      after: { kid: keys.after, ...(revoked !== null && { revoked }) },
    })
    return { ...keys, revoked }
  })
}

export interface ForkRequest {
  readonly reason: string
  readonly kept: Published | null
}

/** Announces that the log does not continue what was published, and begins another one. */
export async function forkTransparency(
  { engine, clock }: TransparencyActing,
  actor: Actor,
  { reason, kept }: ForkRequest,
): Promise<Fork> {
  const at = clock()
  return operatedLog(engine).write(async (tx) => {
    const note = noteOf(actor, { action: 'transparency.fork', object: 'transparency', reason }, at)
    const fork = await tx.forkLog({ kept, reason: note.reason, at })
    if (!fork) throw operatorRefusal('FORK_NOT_NEEDED')
    // Whatever the others have kept, it is of a log that has ended.
    await tx.waiveKeepers()
    await tx.audit({ ...note, at, before: { log: fork.before }, after: { log: fork.after } })
    return fork
  })
}

/** Signs again after a change of the database server, although not every instance has compared its checkpoint. */
export async function resumeTransparency(
  { engine, clock }: TransparencyActing,
  actor: Actor,
  { reason }: Pick<ForkRequest, 'reason'>,
): Promise<{ readonly waived: readonly Keeper[] }> {
  const at = clock()
  return operatedLog(engine).write(async (tx) => {
    const note = noteOf(actor, { action: 'transparency.resume', object: 'transparency', reason }, at)
    const waived = await tx.waiveKeepers()
    if (waived.length === 0) throw operatorRefusal('RESUME_NOT_NEEDED')
    await tx.audit({ ...note, at, before: {}, after: { waived: waived.map(({ host }) => host).join(', ') } })
    return { waived }
  })
}

/** Where the end of the audit log of a day is in the public tree. */
export async function proveAuditDay({ engine }: Pick<TransparencyActing, 'engine'>, day: string) {
  const proof = await engine.read((tx) => proveHead(tx, day))
  if (!proof) throw operatorRefusal('AUDIT_DAY_NOT_FOUND', `The tree has no audit head of ${day}.`)
  return proof
}
