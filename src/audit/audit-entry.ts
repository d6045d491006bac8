/** Where an action was taken. */
export type AuditChannel = 'web' | 'command line'

/** What an operator did, as the action's caller knows it. */
export interface AuditNote {
  readonly auditId: string
  readonly by: string
  readonly via: AuditChannel
  readonly action: string
  /** The id acted on: an account, project, key, charge, approval, operator or provider. */
  readonly object: string
  readonly reason: string
}

/** The part of an object that an action changes; null if it did not exist, or if nothing changed. */
export type AuditedState = Readonly<Record<string, string | number | boolean | null>> | null

/** A note with the effect it had. */
export interface AuditRecord extends AuditNote {
  readonly at: number
  readonly before: AuditedState
  readonly after: AuditedState
}

/** A stored entry. States are JSON texts, so that a stored entry can be hashed again to the letter. */
export interface AuditEntry extends AuditNote {
  readonly seq: number
  readonly at: number
  readonly before: string | null
  readonly after: string | null
  readonly previousHash: string
  readonly hash: string
}

/** The end of the chain: how many entries there are, and the hash of the last. */
export interface AuditHead {
  readonly entries: number
  readonly hash: string
}
