import * as ownErrors from '../../../src/storage/engine.ts'
import type { OpenedEngine } from '../../../src/storage/open-store.ts'
import { sqliteCode } from '../../../src/storage/sqlite/faults.ts'
import type { SerialEngine } from './serial-engine.ts'

type Errors = Pick<typeof ownErrors, 'StoreUnavailable' | 'StoreUnusable' | 'UniqueViolation'>

const SQLITE_ERROR = 1
const SQLITE_CONSTRAINT = 19

/** Whether a statement does not fit the schema: a table, column or constraint that its program does not expect. */
export function isMisfit(error: unknown): boolean {
  const code = sqliteCode(error) & 0xff
  return code === SQLITE_ERROR || code === SQLITE_CONSTRAINT
}

/** The engine as another version sees it: with the errors of that version, and `onError` for each that a statement raises. */
export function engineFor(engine: SerialEngine, errors: Errors, onError: (error: unknown) => void): OpenedEngine {
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      onError(error)
      throw translated(error, errors)
    }
  }
  const handle = (tx: ownErrors.Writer): ownErrors.Writer => ({
    all: (sql, params) => guarded(() => tx.all(sql, params)),
    get: (sql, params) => guarded(() => tx.get(sql, params)),
    run: (sql, params) => guarded(() => tx.run(sql, params)),
  })
  const opened = {
    kind: 'sqlite' as const,
    isShared: true,
    logger: engine.logger,
    withOwnPool: (): unknown => opened,
    read: <T>(work: (tx: ownErrors.Reader) => Promise<T>) =>
      guarded(() => engine.read((tx) => work(handle(tx as ownErrors.Writer)))),
    write: <T>(work: (tx: ownErrors.Writer) => Promise<T>) => guarded(() => engine.write((tx) => work(handle(tx)))),
    call: (...batch: Parameters<SerialEngine['call']>) => guarded(() => engine.call(...batch)),
    check: () => guarded(() => engine.check()),
    backup: () => engine.backup(),
    close: () => engine.close(),
  }
  return opened as unknown as OpenedEngine
}

function translated(error: unknown, { StoreUnavailable, StoreUnusable, UniqueViolation }: Errors): unknown {
  if (error instanceof ownErrors.StoreUnavailable) {
    const { message, cause, mayHaveCommitted } = error
    return new StoreUnavailable(message, { cause, mayHaveCommitted })
  }
  if (error instanceof ownErrors.StoreUnusable) return new StoreUnusable(error.message)
  if (error instanceof ownErrors.UniqueViolation) return new UniqueViolation(error.constraint)
  return error
}
