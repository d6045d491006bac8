import type { Command } from './commands.ts'

/**
 * Credits that an operator moves into a project or out of it without a second operator. Every way of doing so counts towards the
 * same limit: grants and withdrawals, refunds, decisions about refunds, and ends of payments.
 */
export interface MoveAlone {
  readonly kind: 'grant' | 'withdraw'
  readonly by: string
  readonly projectId: string
  /** For a decision about a refund. */
  readonly refundId?: string
}

/** Credits moved alone within 24 hours, by `movedSums`. */
export type MovedSums = Map<string, number>

/** Lower-cased: names of operators are case-insensitive. */
export const operatorKey = (name: string): string => name.trim().toLowerCase()

export const isSameOperator = (a: string, b: string): boolean => operatorKey(a) === operatorKey(b)

/** The keys of the sums that a move counts towards: those of its operator and of its project. */
export const movedSums = ({ kind, by, projectId }: MoveAlone): readonly [string, string] => [
  `${kind} by ${operatorKey(by)}`,
  `${kind} in ${projectId}`,
]

export const isBeyondLimit = (
  sums: MovedSums,
  move: MoveAlone,
  { credits, limit }: { readonly credits: number; readonly limit: number | null },
): boolean => limit !== null && movedSums(move).some((key) => (sums.get(key) ?? 0) + credits > limit)

export function addToSums(sums: MovedSums, move: MoveAlone, credits: number): void {
  for (const key of movedSums(move)) sums.set(key, (sums.get(key) ?? 0) + credits)
}

/** How an end of a refund moves its credits: to the payer, as money, or back into the project. */
export const kindOfEnd = { refunded: 'withdraw', returned: 'grant' } as const

/** The move of a command that has a limit; null for all others. */
export function limitedMoveOf(command: Command): MoveAlone | null {
  const { projectId } = command
  if (command.type === 'grant' || command.type === 'withdraw')
    return command.limit === null ? null : { kind: command.type, by: command.note.by, projectId }
  if (command.type !== 'unhold' || (command.decision?.limit ?? null) === null) return null
  return { kind: kindOfEnd[command.to], by: command.decision!.note.by, projectId, refundId: command.refundId }
}
