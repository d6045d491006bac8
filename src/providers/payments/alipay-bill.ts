import { currency } from '../../contract/prices.ts'
import { type BillLine, fenOfYuan, PaymentFault } from './payment-provider.ts'
import { unzip, type ZipLimits } from './zip.ts'

/** A bill has a file of details and one of totals. */
const billLimits = { maxFiles: 2, maxBytes: 67_108_864 }
const longestRow = 65_536

/** The lines of the detail file in a bill, which is GBK. Throws if it cannot be read as a whole. */
export async function alipayBillLines(zip: Buffer, limits: ZipLimits = billLimits): Promise<BillLine[]> {
  for await (const file of unzip(zip, limits)) {
    const lines = await detailsIn(file)
    if (lines) return lines
  }
  throw new PaymentFault('the bill has no detail file')
}

/** Where a bill is downloaded: only from Alipay, and over https although Alipay may write http, because a bill is not signed. */
export function billAddress(text: string, gateway: URL): URL {
  const url = new URL(text)
  if (url.origin === gateway.origin) return url
  const isAlipay = url.hostname.endsWith('.alipay.com') && /^https?:$/.test(url.protocol) && url.port === ''
  if (!isAlipay) throw new PaymentFault('the address of the bill is on another host')
  url.protocol = 'https:'
  return url
}

/** Undefined for the file of totals, whose head has no order number. */
async function detailsIn(file: AsyncIterable<Buffer>): Promise<BillLine[] | undefined> {
  const lines: BillLine[] = []
  let at: ColumnPlaces | undefined
  for await (const rows of rowsOf(file)) {
    for (const row of rows) {
      if (!at) at = placesIn(row)
      else if (row.trim() !== '' && !row.startsWith('#')) lines.push(lineOf(cells(row), at))
    }
  }
  return at && lines
}

/** Some rows at a time, so that a large bill neither blocks the event loop nor is in memory as one text. */
async function* rowsOf(file: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('gbk')
  let rest = ''
  for await (const chunk of file) {
    const rows = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = rows.pop()!
    if (rest.length > longestRow) throw new PaymentFault('a line of the bill is too long')
    yield rows
  }
  yield [rest + decoder.decode()]
}

type ColumnPlaces = Readonly<Record<'transactionId' | 'paymentId' | 'type' | 'amount' | 'refundId', number>>

/** Undefined for a row that is not the head of the details. */
function placesIn(row: string): ColumnPlaces | undefined {
  if (!row.includes('支付宝交易号') || !row.includes('商户订单号')) return undefined
  const columns = cells(row)
  const find = (...names: string[]) => columns.findIndex((column) => names.some((name) => column.startsWith(name)))
  return {
    transactionId: find('支付宝交易号'),
    paymentId: find('商户订单号'),
    type: find('业务类型'),
    amount: find('订单金额'),
    refundId: find('退款批次号', '退款请求号'),
  }
}

const cells = (row: string): string[] => row.split(',').map((cell) => cell.replace(/^[\s`"]+|[\s"]+$/g, ''))

function lineOf(fields: string[], at: ColumnPlaces): BillLine {
  const field = (name: keyof ColumnPlaces) => fields[at[name]] ?? ''
  const amount = fenOfYuan(field('amount'))
  if (amount === null) throw new PaymentFault('a line of the bill has no amount')
  const isRefund = field('type') === '退款' || amount < 0
  return {
    kind: isRefund ? 'refund' : 'payment',
    paymentId: field('paymentId'),
    transactionId: field('transactionId'),
    refundId: isRefund ? field('refundId') : null,
    amountFen: Math.abs(amount),
    currency,
  }
}
