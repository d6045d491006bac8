import { newSortableId } from '../base/ids.ts'
import { type OperatorErrorCode, operatorRefusal } from '../contract/error-codes/operators.ts'
import type { AuditChannel, AuditNote } from '../ledger/audit.ts'

/** Who acts: a signed-in operator, or the user of the command line. */
export interface Actor {
  readonly name: string
  readonly via: AuditChannel
}

export const actorAt = ({ name }: { readonly name: string }): Actor => ({ name, via: 'web' })

/** What the audit log says about an action. */
export const noteOf = (
  { name, via }: Actor,
  { action, object, reason }: Pick<AuditNote, 'action' | 'object' | 'reason'>,
  at: number,
): AuditNote => ({ auditId: newSortableId('aud', at), by: name, via, action, object, reason: checkReason(reason) })

export const reasonLimit = 500
export const referenceLimit = 200

export const checkReason = (reason: string): string => checkLine(reason, reasonLimit, 'REASON_INVALID')

/** Refunds and approvals are referred to by their ids, so that a movement must not look like one. Request ids are allowed: see docs/recovery.md. */
const ownId = /^(rfd|pay|apv|ord)_[0-9a-z]{20}/i

export function checkReference(given: string): string {
  const reference = checkLine(given, referenceLimit, 'REFERENCE_INVALID')
  const [id] = ownId.exec(reference.normalize('NFKC')) ?? []
  if (!id) return reference
  throw operatorRefusal('REFERENCE_INVALID', `The reference begins like the ID ${id} of this gateway.`)
}

/** The same payment is written in many ways: without case, width, spaces and punctuation, they are one. */
export function referenceKeyOf(reference: string): string {
  const folded = reference.normalize('NFKC').toLowerCase()
  return folded.replaceAll(/[^\p{L}\p{N}]/gu, '') || folded.trim()
}

function checkLine(text: string, max: number, code: OperatorErrorCode): string {
  const line = oneLine(text, max)
  if (line === null) throw operatorRefusal(code)
  return line
}

/** The trimmed text; null if it is empty, longer than `max` characters or not a single line. */
export function oneLine(text: string, max: number): string | null {
  const trimmed = text.trim()
  return trimmed === '' || [...trimmed].length > max || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(trimmed) ? null : trimmed
}
