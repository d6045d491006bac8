import { type BillLine, fenOfYuan, PaymentFault } from './payment-provider.ts'

/** The columns of a trade bill that are read. Every field begins with a backtick. */
const names = {
  transactionId: '微信订单号',
  paymentId: '商户订单号',
  state: '交易状态',
  currency: '货币种类',
  refundId: '商户退款单号',
  amount: '订单金额',
  refundAmount: '申请退款金额',
  settled: '应结订单金额',
  refunded: '退款金额',
} as const

/** The lines of a trade bill of type ALL. Throws if it cannot be read as a whole: half a bill would show wrong differences. */
export function wechatBillLines(text: string): BillLine[] {
  const [head = '', ...rows] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const columns = head.split(',').map((name) => name.replace(/^`/, '').trim())
  const at = Object.fromEntries(Object.entries(names).map(([field, name]) => [field, columns.indexOf(name)]))
  if (at.paymentId === -1 || at.transactionId === -1) throw new PaymentFault('the bill has unknown columns')
  const lines: BillLine[] = []
  for (const row of rows) {
    // The summary follows the payments, and its head has no backticks.
    if (!row.startsWith('`')) break
    const fields = row.slice(1).split(',`')
    const field = (name: keyof typeof names) => fields[at[name]!]?.trim() ?? ''
    const isRefund = field('state') === 'REFUND' || field('state') === 'REVOKED'
    const amount = isRefund
      ? (fenOfYuan(field('refundAmount')) ?? fenOfYuan(field('refunded')))
      : (fenOfYuan(field('amount')) ?? fenOfYuan(field('settled')))
    if (amount === null) throw new PaymentFault('a line of the bill has no amount')
    lines.push({
      kind: isRefund ? 'refund' : 'payment',
      paymentId: field('paymentId'),
      transactionId: field('transactionId'),
      refundId: isRefund ? field('refundId') : null,
      amountFen: amount,
      currency: field('currency') || 'CNY',
    })
  }
  return lines
}
