// Apart from the schemas, because the thread of the embedded store needs these numbers and must start fast.

/** Days that an event is kept. */
export const eventDays = 90
/** Available credits below which `credits.low` is raised, for a project that has set nothing else. */
export const defaultLowBalanceCredits = 100
/** More unread events than this are counted as this many. */
export const unreadLimit = 100
