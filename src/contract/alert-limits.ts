/**
 * The most alerts of one type that a project gets in a day. Counted by type, so that a storm of one does not silence another. The
 * last one says that more are in the console. Without the schema library, because the console loads this file.
 */
export const alertsPerDay = { sms: 3, email: 10 } as const
