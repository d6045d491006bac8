import { isoOf, isoOrNull } from '../../../../base/time.ts'
import { chargeColumns } from '../../../../storage/charge-columns.ts'
import type { Reader } from '../../../../storage/engine.ts'
import { from, orNull, pick, type RowOf, rowMapper, text } from '../../../../storage/row-mapper.ts'
import type { ArchivedCharge } from '../../archives/records.ts'

const columns = {
  ...pick(from('c', chargeColumns), 'chargeId', 'keyId', 'operation', 'credits', 'pricingVersion', 'state'),
  ...pick(from('c', chargeColumns), 'reservedAt', 'endedAt', 'fingerprint', 'responseSha256', 'idempotencyDigest'),
  jobId: orNull(text('(SELECT j.job_id FROM media_jobs j WHERE j.charge_id = c.charge_id)')),
}
const charges = rowMapper('charges c', columns)

export type ReceiptCharge = RowOf<typeof columns>

export const findCharge = (tx: Reader, projectId: string, chargeId: string): Promise<ReceiptCharge | undefined> =>
  charges.get(tx, 'WHERE c.project_id = $1 AND c.charge_id = $2', [projectId, chargeId])

export const archivedReceiptCharge = (charge: ArchivedCharge): ReceiptCharge => ({
  ...charge,
  reservedAt: Date.parse(charge.reservedAt),
  endedAt: charge.endedAt === null ? null : Date.parse(charge.endedAt),
  // Charges that were archived by the version before do not name it.
  responseSha256: charge.responseSha256 ?? null,
  jobId: charge.mediaJob?.jobId ?? null,
})

export const chargeFacts = (charge: ReceiptCharge) => ({
  chargeId: charge.chargeId,
  operation: charge.operation,
  credits: charge.credits,
  pricingVersion: charge.pricingVersion,
  state: charge.state,
  createdAt: isoOf(charge.reservedAt),
  endedAt: isoOrNull(charge.endedAt),
  requestSha256: hexOf(charge.fingerprint),
  responseSha256: charge.responseSha256,
  idempotencyKeySha256: charge.idempotencyDigest === null ? null : hexOf(charge.idempotencyDigest),
  ...(charge.jobId !== null && { jobId: charge.jobId }),
})

/** Digests are stored in base64url. */
const hexOf = (digest: string): string => Buffer.from(digest, 'base64url').toString('hex')
