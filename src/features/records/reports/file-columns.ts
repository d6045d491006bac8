import { reportingZone } from '../../../base/time.ts'
import type { Charge, LedgerEntry } from './contract.ts'

export type Cell = string | number | null
type FileColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>

const usageFile = {
  chargeId: (row) => row.chargeId,
  operation: (row) => row.operation,
  credits: (row) => row.credits,
  state: (row) => row.state,
  keyId: (row) => row.keyId,
  keyDisplayPrefix: (row) => row.keyDisplayPrefix,
  requestId: (row) => row.requestId,
  'reservedAt (Asia/Shanghai)': (row) => localTime(row.reservedAt),
  'endedAt (Asia/Shanghai)': (row) => row.endedAt && localTime(row.endedAt),
  reasonCode: (row) => row.reason?.code ?? null,
  reasonText: (row) => row.reason?.text ?? null,
  keyName: (row) => row.keyName,
  upstreamCode: (row) => row.upstreamCode,
} satisfies FileColumns<Charge>

const ledgerFile = {
  seq: (row) => row.seq,
  kind: (row) => row.kind,
  amount: (row) => row.amount,
  available: (row) => row.available,
  reserved: (row) => row.reserved,
  chargeId: (row) => row.chargeId,
  operation: (row) => row.operation,
  creditLotId: (row) => row.creditLotId,
  orderId: (row) => row.orderId,
  'enteredAt (Asia/Shanghai)': (row) => localTime(row.enteredAt),
  reference: (row) => row.reference,
} satisfies FileColumns<LedgerEntry>

export type UsageColumn = keyof typeof usageFile
export type LedgerColumn = keyof typeof ledgerFile

export const usageColumns = Object.keys(usageFile)
export const ledgerColumns = Object.keys(ledgerFile)

const cellsOf =
  <Row>(columns: FileColumns<Row>) =>
  (row: Row): Cell[] =>
    Object.values(columns).map((cell) => cell(row))

export const chargeCells = cellsOf<Charge>(usageFile)
export const entryCells = cellsOf<LedgerEntry>(ledgerFile)

/** The time on a clock in Shanghai, as spreadsheet programs read it. */
const localTime = (at: string): string =>
  new Date(Date.parse(at) + reportingZone.offsetMs).toISOString().replace('T', ' ').slice(0, 23)
