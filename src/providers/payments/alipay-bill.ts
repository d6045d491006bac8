import { currency } from '../../contract/prices.ts'
import { type BillLine, fenOfYuan, PaymentFault } from './payment-provider.ts'
import { readZip } from './zip.ts'

const largestFile = 268_435_456

/** The lines of the detail file in a bill, which is GBK. Throws if it cannot be read as a whole. */
export function alipayBillLines(zip: Buffer): BillLine[] {
  const texts = readZip(zip, largestFile).map(({ content }) => new TextDecoder('gbk').decode(content))
  const detail = texts.find((text) => headOf(text) !== undefined)
  if (detail === undefined) throw new PaymentFault('the bill has no detail file')
  const rows = detail.split(/\r?\n/)
  const head = headOf(detail)!
  const columns = cells(rows[head]!)
  const find = (...names: string[]) => columns.findIndex((column) => names.some((name) => column.startsWith(name)))
  const at = {
    transactionId: find('支付宝交易号'),
    paymentId: find('商户订单号'),
    type: find('业务类型'),
    amount: find('订单金额'),
    refundId: find('退款批次号', '退款请求号'),
  }
  return rows
    .slice(head + 1)
    .filter((row) => row.trim() !== '' && !row.startsWith('#'))
    .map((row) => lineOf(cells(row), at))
}

/** The totals are in another file, whose head has no order number. */
function headOf(text: string): number | undefined {
  const index = text.split(/\r?\n/).findIndex((row) => row.includes('支付宝交易号') && row.includes('商户订单号'))
  return index === -1 ? undefined : index
}

const cells = (row: string): string[] => row.split(',').map((cell) => cell.replace(/^[\s`"]+|[\s"]+$/g, ''))

function lineOf(fields: string[], at: Readonly<Record<string, number>>): BillLine {
  const field = (name: string) => fields[at[name]!] ?? ''
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
