import type { BaseLogger } from 'pino'

/** What storage says to the operator; every pino logger fits. */
export type Logger = Pick<BaseLogger, 'info' | 'warn' | 'error'>
