import { Type } from '../base/schema.ts'
import { event } from './event-row.ts'
import { paymentIdPattern } from './field.ts'
import { yuanOfFen } from './prices.ts'
import { orderIdPattern } from './schemas/account.ts'

const Credits = (description: string) => Type.Integer({ minimum: 0, description })
const Fen = (description: string) => Type.Integer({ minimum: 0, description })
const paidCurrency = Type.Optional(
  Type.String({ minLength: 1, description: 'The currency that it was paid in, if that is not CNY.' }),
)
const paid = { paidFen: Fen('What was paid, in hundredths of its currency.'), paidCurrency }
/** As text, in yuan unless it was paid in another currency. */
const paidText = (fen: number, paidCurrency: string | undefined, yuan: string) =>
  `${yuanOfFen(fen)} ${paidCurrency ?? yuan}`
const payment = {
  paymentId: Type.String({ pattern: paymentIdPattern }),
  orderId: Type.String({ pattern: orderIdPattern }),
}
const example = { paymentId: 'pay_3fQ7sJ8wMa2PkD4nV6tH', orderId: 'ord_9kD4nV6tHs1B' }

export const paymentEvents = {
  'payment.credited_late': event({
    data: {
      ...payment,
      credits: Credits('Credits of the order.'),
      available: Credits('Available credits after it.'),
    },
    example: { ...example, credits: 200, available: 200 },
    shown: { group: 'money', page: '/recharge/{orderId}', tone: 'good' },
    name: { en: 'Late payment credited', zh: '逾期付款已到账' },
    detail: {
      en: 'A payment arrived after it expired or was cancelled: {{credits}} added, {{available}} available.',
      zh: '付款在过期或取消之后完成，已入账 {{credits}}，可用 {{available}}。',
    },
    alert: ({ credits, available }) => ({
      en: `A payment arrived after it expired or was cancelled; ${credits} credits were added, and ${available} are available`,
      zh: `您的付款在过期或取消之后完成，${credits} 点已入账，可用余额 ${available} 点`,
    }),
  }),
  'payment.in_review': event({
    data: { ...payment, amountFen: Fen('What was to be paid.'), ...paid },
    example: { ...example, amountFen: 5000, paidFen: 3000 },
    shown: { group: 'money', page: '/recharge/{orderId}', tone: 'wait' },
    name: { en: 'Payment being checked', zh: '付款待确认' },
    detail: {
      en: '{{paidFen}} was received for an order of {{amountFen}}. It is being checked: it will be credited or refunded.',
      zh: '订单金额 {{amountFen}}，实收 {{paidFen}}，正在确认，确认后入账或退款。',
    },
    alert: ({ amountFen, paidFen, paidCurrency }) => ({
      en: `${paidText(paidFen, paidCurrency, 'yuan')} was received for your order of ${yuanOfFen(amountFen)} yuan. It is being checked, and will be credited or refunded`,
      zh: `您的订单金额 ${yuanOfFen(amountFen)} 元，实收 ${paidText(paidFen, paidCurrency, '元')}，正在确认，确认后入账或退款`,
    }),
  }),
  'payment.paid_twice': event({
    data: { ...payment, ...paid },
    example: { ...example, paidFen: 5000 },
    shown: { group: 'money', page: '/recharge/{orderId}', tone: 'wait' },
    name: { en: 'Order paid twice', zh: '订单重复付款' },
    detail: {
      en: 'A second payment of {{paidFen}} was received for an order that was already paid. It will be refunded.',
      zh: '订单已付款，又收到一笔 {{paidFen}}，多付的款项将退款。',
    },
    alert: ({ paidFen, paidCurrency }) => ({
      en: `A second payment of ${paidText(paidFen, paidCurrency, 'yuan')} was received for an order that was already paid. It will be refunded`,
      zh: `您的订单已付款，又收到一笔 ${paidText(paidFen, paidCurrency, '元')}，多付的款项将退款`,
    }),
  }),
  'payment.refunded': event({
    data: { ...payment, refundedFen: Fen('What was paid back.'), paidCurrency },
    example: { ...example, refundedFen: 5000 },
    shown: { group: 'money', page: '/recharge/{orderId}' },
    name: { en: 'Payment refunded', zh: '付款已退款' },
    detail: {
      en: '{{refundedFen}} was refunded the way it was paid.',
      zh: '已退款 {{refundedFen}}，原路退回。',
    },
    alert: ({ refundedFen, paidCurrency }) => ({
      en: `${paidText(refundedFen, paidCurrency, 'yuan')} was refunded the way it was paid`,
      zh: `已退款 ${paidText(refundedFen, paidCurrency, '元')}，原路退回`,
    }),
  }),
}
