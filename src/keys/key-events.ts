import type { EventDraft } from '../events/event.ts'
import type { KeyRow } from './ports.ts'

/** What the owner of a project is told about its keys. */

export const keyCreated = (row: KeyRow): EventDraft => ({
  type: 'key.created',
  at: row.createdAt,
  projectId: row.projectId,
  data: factsOf(row),
})

export const keyRotated = (row: KeyRow, old: { readonly keyId: string; readonly expiresAt: number }): EventDraft => ({
  type: 'key.rotated',
  at: row.createdAt,
  projectId: row.projectId,
  data: { ...factsOf(row), rotatedFromKeyId: old.keyId, oldKeyExpiresAt: new Date(old.expiresAt).toISOString() },
})

export const keyRevoked = (row: KeyRow, at: number): EventDraft => ({
  type: 'key.revoked',
  at,
  projectId: row.projectId,
  data: { ...factsOf(row), by: 'owner' },
})

/** `daysLeft` is counted, because a gateway that was stopped warns late. */
export const keyExpiring = (row: KeyRow, expiresAt: number, at: number): EventDraft => ({
  type: 'key.expiring',
  at,
  projectId: row.projectId,
  data: {
    ...factsOf(row),
    expiresAt: new Date(expiresAt).toISOString(),
    daysLeft: Math.ceil((expiresAt - at) / dayMs),
  },
})

const dayMs = 86_400_000

const factsOf = ({ keyId, displayPrefix }: Pick<KeyRow, 'keyId' | 'displayPrefix'>) => ({ keyId, displayPrefix })
