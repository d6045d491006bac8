import type { Said } from '../../i18n/messages.ts'

declare module '../../i18n/messages.ts' {
  interface PageWords {
    readonly payment: typeof en
  }
}

const en = {
  payWith: 'Pay with',
  methods: { wechat: 'WeChat Pay', alipay: 'Alipay', simulated: 'Simulated payment' },
  title: 'Payment',
  scan: 'Scan this code with your phone to pay {{yuan}}.',
  code: 'QR code of the payment',
  open: 'Open the payment page',
  preparing: 'The payment is being prepared. The code appears here in a few seconds.',
  left: 'Time left',
  ended: 'The time is up. If you have paid, your credits still arrive.',
  check: 'I have paid',
  checking: 'Asking the payment provider. This page updates by itself.',
  cancel: 'Cancel the payment',
  again: 'Pay another amount',
  states: {
    paid: 'Paid: {{credits}} were added',
    expired: 'The payment has expired',
    cancelled: 'The payment was cancelled',
    failed: 'The payment provider refused this payment',
    review: 'The amount paid differs, and the operator is checking it',
  },
  late: 'If you have paid all the same, your credits are still added. Do not pay again.',
  reviewHint: 'Nothing is lost. Contact the operator and quote the payment number.',
}

const zh: Said<typeof en> = {
  payWith: '支付方式',
  methods: { wechat: '微信支付', alipay: '支付宝', simulated: '模拟支付' },
  title: '付款',
  scan: '请用手机扫码支付 {{yuan}}。',
  code: '付款二维码',
  open: '打开付款页面',
  preparing: '正在下单，二维码稍后自动显示。',
  left: '剩余时间',
  ended: '付款时间已到。如已付款，点数仍会到账。',
  check: '我已付款',
  checking: '正在向支付方查询，页面会自动更新。',
  cancel: '取消付款',
  again: '继续充值',
  states: {
    paid: '付款成功，{{credits}} 已到账',
    expired: '付款已过期',
    cancelled: '付款已取消',
    failed: '支付方拒绝了这笔付款',
    review: '实付金额不符，运营方正在核对',
  },
  late: '如已付款，点数仍会到账，请勿重复付款。',
  reviewHint: '款项不会丢失，请联系运营方并提供付款编号。',
}

export const payment = { en, zh }
