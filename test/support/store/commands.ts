import { newId } from '../../../src/contract/ids.ts'
import type { Admit, End, StoredResponse } from '../../../src/ledger/commands.ts'

/** The command that admits a call; tests state only what matters to them. */
export const admission = (changes: Partial<Admit> = {}): Admit => ({
  type: 'admit',
  chargeId: 'chg',
  projectId: 'prj',
  keyId: 'key',
  scope: 'models:invoke',
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

export const settledResponse: StoredResponse = { status: 200, code: null, body: '{}' }
