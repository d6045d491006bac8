import type { Logger } from 'pino'

const nothing = () => {}

/** Drops every line; `onLine` sees the level and the message. */
export function createLogger(onLine: (level: string, message: string, fields: object) => void): Logger {
  const write =
    (level: string) =>
    (first: object | string, message?: string): void =>
      typeof first === 'string' ? onLine(level, first, {}) : onLine(level, message ?? '', first)
  const logger = {
    level: 'info',
    fatal: write('fatal'),
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    debug: nothing,
    trace: nothing,
    silent: nothing,
    isLevelEnabled: () => false,
    child: () => logger,
  }
  return logger as unknown as Logger
}

export const silentLogger = createLogger(nothing)
