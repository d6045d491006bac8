import type { ChargeReader } from '../ledger/charge-reader.ts'
import type { OpenedEngine } from './open-store.ts'
import { createReservedReader } from './postgres/reserved-charges.ts'

/** On PostgreSQL, reserved charges are read without holding up those who write them. */
export const reservedReader = (engine: OpenedEngine, clock: () => number): Partial<Pick<ChargeReader, 'reserved'>> =>
  engine.kind === 'postgres' ? { reserved: createReservedReader(engine, { clock }) } : {}
