import type { EventType } from '../../api/types.ts'

/** The types of events, by what they are about. */
export const eventGroups = {
  money: ['credits.low', 'credits.empty', 'order.credited', 'credits.granted', 'credits.withdrawn'],
  reviews: ['charge.review_opened', 'charge.review_decided', 'media.job_finished'],
  keys: ['key.created', 'key.rotated', 'key.revoked', 'key.expiring', 'key.budget_reached'],
  account: ['account.signed_in', 'account.password_changed'],
} as const satisfies Record<string, readonly EventType[]>

export type GroupedType = (typeof eventGroups)[keyof typeof eventGroups][number]

export const groupNames = Object.keys(eventGroups) as (keyof typeof eventGroups)[]

/** Fails to compile if a type of event is in no group. */
export const groupedTypes: readonly (EventType extends GroupedType ? GroupedType : never)[] =
  Object.values(eventGroups).flat()
