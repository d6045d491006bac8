import type { Translated } from '../../i18n/messages.ts'

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
  code: 'Payment QR code',
  open: 'Open the payment page',
  preparing: 'Preparing your payment. The QR code appears here in a few seconds.',
  left: 'Time left',
  ended: 'Time is up. If you have already paid, your credits will still be added.',
  check: 'I have paid',
  checking: 'Checking with the payment provider. This page updates automatically.',
  cancel: 'Cancel payment',
  again: 'Start a new payment',
  states: {
    paid: 'Payment received: {{credits}} added',
    expired: 'The payment has expired',
    cancelled: 'The payment was cancelled',
    failed: 'The payment provider declined this payment',
    review: 'The amount paid does not match, and the operator is checking it',
  },
  late: 'If you have already paid, your credits will still be added. Do not pay again.',
  reviewHint: 'Your money is safe. Contact the operator and include the payment ID.',
}

const zh: Translated<typeof en> = {
  payWith: '支付方式',
  methods: { wechat: '微信支付', alipay: '支付宝', simulated: '模拟支付' },
  title: '支付',
  scan: '请用手机扫码支付 {{yuan}}。',
  code: '支付二维码',
  open: '打开支付页面',
  preparing: '正在生成二维码，请稍候。',
  left: '剩余时间',
  ended: '支付已超时。如已付款，点数仍会到账。',
  check: '我已完成支付',
  checking: '正在查询支付结果，页面会自动更新。',
  cancel: '取消支付',
  again: '重新充值',
  states: {
    paid: '支付成功，{{credits}}已到账',
    expired: '支付已过期',
    cancelled: '支付已取消',
    failed: '支付渠道拒绝了这笔付款',
    review: '实付金额与订单不符，运营方正在核对',
  },
  late: '如已付款，点数仍会到账，请勿重复支付。',
  reviewHint: '您的资金安全。请联系运营方并提供付款编号。',
}

export const payment = { en, zh }
