import { Type } from '../base/schema.ts'
import { event } from './event-row.ts'
import { paymentIdPattern } from './field.ts'
import { orderIdPattern } from './schemas/account.ts'

const Credits = (description: string) => Type.Integer({ minimum: 0, description })

export const paymentEvents = {
  'payment.credited_late': event({
    data: {
      paymentId: Type.String({ pattern: paymentIdPattern }),
      orderId: Type.String({ pattern: orderIdPattern }),
      credits: Credits('Credits of the order.'),
      available: Credits('Available credits after it.'),
    },
    example: { paymentId: 'pay_3fQ7sJ8wMa2PkD4nV6tH', orderId: 'ord_9kD4nV6tHs1B', credits: 200, available: 200 },
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
}
