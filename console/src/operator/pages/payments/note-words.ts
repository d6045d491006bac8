import {
  type PaymentNoteCode,
  type PaymentNoteFacts,
  readPaymentNote,
} from '../../../../../src/contract/payment-notes.ts'

/** Notes of the gateway about a payment; those of a provider stay as they are. */
export function noteInChinese(note: string): string {
  const read = readPaymentNote(note)
  return read ? sentences[read.code](read.facts as never) : note
}

/** As it is stored, but with amounts as the rest of the page writes them. */
export function noteInEnglish(note: string): string {
  const code = readPaymentNote(note)?.code
  if (!code || code === 'REFUND_REFUSED') return note
  return note.replaceAll(/(\d+) fen(?: ([A-Z]{3})\b)?/g, (_, fen: string, currency = 'CNY') =>
    currency === 'CNY' ? `¥${inHundreds(fen)}` : `${inHundreds(fen)} ${currency}`,
  )
}

const inHundreds = (fen: string): string => (Number(fen) / 100).toFixed(2)

const yuan = (fen: string): string => `${inHundreds(fen)} 元`

const paid = ({ fen, currency }: PaymentNoteFacts<'PAID'>): string =>
  `实收 ${currency === 'CNY' ? yuan(fen) : `${inHundreds(fen)} ${currency}`}`

const sentences: { readonly [Code in PaymentNoteCode]: (facts: PaymentNoteFacts<Code>) => string } = {
  PAID: paid,
  PAID_THEN_REFUNDED: (facts) =>
    `${paid(facts)}，其中 ${yuan(facts.refundedFen)}已在服务商处退款，剩余 ${yuan(facts.leftFen)}`,
  PAID_THEN_REFUNDED_UNKNOWN: (facts) => `${paid(facts)}，已在服务商处退款，金额未知`,
  PAID_AFTER_END: (facts) => `${paid(facts)}，查到时支付已结束，服务商未说明是否已部分退款`,
  ORDER_NOT_CREDITED: ({ code }) => `订单无法入账：${code}`,
  TRANSACTION_CREDITED: () => '该交易已入账到另一笔支付',
  ORDER_PAID: () => '订单已由另一笔交易支付',
  REFUND_REFUSED: ({ reason }) => `服务商拒绝退款：${reason}`,
  NOT_REFUNDED: () => '运营方确认未退款',
  REFUNDED: () => '已退款',
}
