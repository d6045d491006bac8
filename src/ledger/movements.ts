type MovementKind = 'grant' | 'withdraw'

/** A grant or withdrawal that was carried out, with the balance after it. */
export interface MovementRecord {
  readonly movementId: string
  readonly projectId: string
  readonly kind: MovementKind
  readonly amount: number
  readonly reference: string
  readonly entryId: number
  readonly available: number
  readonly reserved: number
}

/** A grant or withdrawal, carried out or pending, whose reference has the same key. */
export interface EarlierMovement {
  readonly projectId: string
  readonly amount: number
  readonly reference: string
  readonly at: number
}

/** A grant or withdrawal that waits for a second operator. */
export interface PendingApproval {
  readonly approvalId: string
  readonly projectId: string
  readonly kind: MovementKind
  readonly amount: number
  readonly reference: string
  readonly requestedBy: string
}
