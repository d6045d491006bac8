import type { BaseLogger } from 'pino'

/** The part of a pino logger that storage uses. */
export type Logger = Pick<BaseLogger, 'info' | 'warn' | 'error'>
