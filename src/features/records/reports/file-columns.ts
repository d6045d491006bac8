import { reportingZone } from '../../../base/time.ts'
import { chargeStatesInChinese, entryKindsInChinese, reasonsInChinese } from '../../../contract/chinese-records.ts'
import { type ErrorCode, errors } from '../../../contract/errors.ts'
import { operationNames } from '../../../contract/operation-names.ts'
import { yuanOfFen } from '../../../contract/prices.ts'
import type { ReasonCode } from '../../../contract/reasons.ts'
import type { Charge, LedgerEntry } from './contract.ts'

export type Cell = string | number | null

/** In English a file has the names and words of the API. */
export const fileLanguages = ['en', 'zh'] as const
export type FileLanguage = (typeof fileLanguages)[number]

interface FileColumn<Row> {
  readonly inChinese: string
  readonly cell: Readonly<Record<FileLanguage, (row: Row) => Cell>>
}

const columnsOf =
  <Row>() =>
  (inChinese: string, en: (row: Row) => Cell, zh = en): FileColumn<Row> => ({ inChinese, cell: { en, zh } })

const column = columnsOf<Charge>()

const usageFile = {
  chargeId: column('扣费编号', (row) => row.chargeId),
  operation: column(
    '接口',
    (row) => row.operation,
    (row) => operationNames[row.operation].zh,
  ),
  credits: column('点数', (row) => row.credits),
  state: column(
    '状态',
    (row) => row.state,
    (row) => chargeStatesInChinese[row.state],
  ),
  keyId: column('密钥编号', (row) => row.keyId),
  keyDisplayPrefix: column('密钥前缀', (row) => row.keyDisplayPrefix),
  requestId: column('请求编号', (row) => row.requestId),
  'reservedAt (Asia/Shanghai)': column('调用时间（北京时间）', (row) => localTime(row.reservedAt)),
  'endedAt (Asia/Shanghai)': column('完成时间（北京时间）', (row) => row.endedAt && localTime(row.endedAt)),
  reasonCode: column('错误码', (row) => row.reason?.code ?? null),
  reasonText: column(
    '原因',
    (row) => row.reason?.text ?? null,
    (row) => row.reason && reasonInChinese(row.reason),
  ),
  keyName: column('密钥名称', (row) => row.keyName),
  upstreamCode: column('服务商错误码', (row) => row.upstreamCode),
  model: column('模型', (row) => row.model),
  latencyMs: column('耗时（毫秒）', (row) => row.latencyMs),
  inputTokens: column('输入 Token 数', (row) => row.usage?.inputUnits ?? null),
  outputTokens: column('输出 Token 数', (row) => row.usage?.outputUnits ?? null),
}

const entryColumn = columnsOf<LedgerEntry>()

const yuanOf = (name: 'orderFen' | 'paidFen') => (row: LedgerEntry) =>
  row[name] === null ? null : yuanOfFen(row[name])

const ledgerFile = {
  seq: entryColumn('序号', (row) => row.seq),
  kind: entryColumn(
    '类型',
    (row) => row.kind,
    (row) => entryKindsInChinese[row.kind],
  ),
  amount: entryColumn('点数', (row) => row.amount),
  available: entryColumn('可用', (row) => row.available),
  reserved: entryColumn('冻结', (row) => row.reserved),
  chargeId: entryColumn('扣费编号', (row) => row.chargeId),
  operation: entryColumn(
    '接口',
    (row) => row.operation,
    (row) => row.operation && operationNames[row.operation].zh,
  ),
  creditLotId: entryColumn('入账批次编号', (row) => row.creditLotId),
  orderId: entryColumn('订单号', (row) => row.orderId),
  'enteredAt (Asia/Shanghai)': entryColumn('时间（北京时间）', (row) => localTime(row.enteredAt)),
  reference: entryColumn('凭证号', (row) => row.reference),
  orderFen: entryColumn('订单金额（元）', ({ orderFen }) => orderFen, yuanOf('orderFen')),
  paidFen: entryColumn('实付金额（元）', ({ paidFen }) => paidFen, yuanOf('paidFen')),
  'paidAt (Asia/Shanghai)': entryColumn('付款时间（北京时间）', ({ paidAt }) => paidAt && localTime(paidAt)),
}

export const usageColumns = Object.keys(usageFile)
export const ledgerColumns = Object.keys(ledgerFile)

/** The first line of a file, and the line of a row. */
const linesOf =
  <Row>(columns: Readonly<Record<string, FileColumn<Row>>>) =>
  (language: FileLanguage) => ({
    columns: Object.entries(columns).map(([name, { inChinese }]) => (language === 'zh' ? inChinese : name)),
    cells: (row: Row): Cell[] => Object.values(columns).map(({ cell }) => cell[language](row)),
  })

export const usageLines = linesOf(usageFile)
export const ledgerLines = linesOf(ledgerFile)

const reasonInChinese = ({ code, text }: NonNullable<Charge['reason']>): string =>
  reasonsInChinese[code as ReasonCode] ?? errors[code as ErrorCode]?.console.zh ?? text

/** The time on a clock in Shanghai, as spreadsheet programs read it. */
const localTime = (at: string): string =>
  new Date(Date.parse(at) + reportingZone.offsetMs).toISOString().replace('T', ' ').slice(0, 23)
