import { newId } from '../../src/base/ids.ts'
import type { AuditNote } from '../../src/ledger/audit.ts'
import type { Admit, End, KeyState, Movement, StoredResponse } from '../../src/ledger/commands.ts'

/** The command that admits a call; tests state only what matters to them. */
export const admission = (changes: Partial<Admit> = {}): Admit => ({
  type: 'admit',
  chargeId: 'chg',
  projectId: 'prj',
  keyId: 'key',
  scope: 'models:invoke',
  address: '203.0.113.7',
  limit: { max: 1_000_000_000, windowMs: 60_000 },
  operation: 'model.chat',
  credits: 3,
  pricingVersion: 'v1',
  leavesProcess: true,
  idempotencyDigest: newId('req'),
  fingerprint: 'fingerprint',
  isolationVersion: 1,
  instanceId: 'ins',
  requestId: 'req',
  at: 0,
  ...changes,
})

/** The command that ends a charge; settles it unless stated otherwise. */
export const ending = (changes: Partial<End> = {}): End => ({
  type: 'end',
  chargeId: 'chg',
  projectId: 'prj',
  from: 'reserved',
  to: 'settled',
  response: settledResponse,
  usage: null,
  reason: null,
  snapshots: [],
  decision: null,
  at: 0,
  ...changes,
})

/** A key that was never used, with no limits of its own. */
export const keyState = (changes: Partial<KeyState> = {}): KeyState => ({
  keyId: 'key',
  projectId: 'prj',
  scopes: ['models:invoke'],
  blockedAt: null,
  expiresAt: null,
  allowed: null,
  budgetId: null,
  showsBalance: true,
  logsContent: false,
  settingsVersion: 0,
  windowEndsAt: 0,
  windowUsed: 0,
  calls: 0,
  lastUsedAt: null,
  lastUsedFrom: null,
  ...changes,
})

export const settledResponse: StoredResponse = { status: 200, code: null, body: '{}' }

/** What an operator's action says about itself. */
export const auditNote = (changes: Partial<AuditNote> = {}): AuditNote => ({
  auditId: newId('aud'),
  by: 'operator',
  via: 'command line',
  action: 'review.release',
  object: 'chg',
  reason: 'asked the provider',
  ...changes,
})

/** What the decision on a charge in review says about itself. */
export const decisionNote = ({ chargeId, to }: Pick<End, 'chargeId' | 'to'>): AuditNote =>
  auditNote({ action: to === 'settled' ? 'review.settle' : 'review.release', object: chargeId })

/** The command that grants or withdraws credits; grants ten unless stated otherwise. */
export const movement = ({
  type = 'grant',
  projectId = 'prj',
  reference = newId('req'),
  ...changes
}: Partial<Movement> = {}): Movement => ({
  type,
  movementId: newId('mov'),
  projectId,
  credits: 10,
  reference,
  referenceKey: reference,
  isAgain: false,
  limit: null,
  lotId: newId('lot'),
  approvalId: null,
  note: auditNote({ action: `credits.${type}${changes.approvalId ? '.approve' : ''}`, object: projectId }),
  at: 0,
  ...changes,
})
