import type { Translated } from '../../i18n/messages.ts'

declare module '../../i18n/messages.ts' {
  interface PageWords {
    readonly payment: typeof en
  }
}

const en = {
  payWith: 'Pay with',
  methods: { wechat: 'WeChat Pay', alipay: 'Alipay', simulated: 'Simulated payment' },
  pay: 'Pay {{yuan}}',
  payNothing: 'Pay',
  title: 'Payment',
  paymentId: 'Payment ID',
  buys: '{{credits}}, about {{calls}} chat calls',
  code: 'Payment QR code',
  openApp: { wechat: 'Open WeChat to pay', alipay: 'Open Alipay to pay' },
  open: 'Open the payment page',
  paySimulated: 'Pay (simulated)',
  help: {
    wechat: 'Open WeChat on your phone, tap + and then Scan.',
    alipay: 'Open Alipay on your phone and tap Scan.',
    simulated: 'This payment is simulated. No money moves.',
    other: 'Scan the code with the payment app on your phone.',
    redirect: 'Come back here after paying. This page updates automatically.',
  },
  otherDevice:
    'A phone cannot scan its own screen. Scan this code with another phone, or cancel and pay again on this one.',
  preparing: 'Preparing your payment. It appears here in a few seconds.',
  left: 'Time left',
  ended: 'Time is up. If you have already paid, your credits will still be added.',
  check: 'I have paid',
  checking: 'Checking with the payment provider. This page updates automatically.',
  cancel: 'Cancel payment',
  again: 'Top up again',
  startNew: 'Start a new payment',
  states: {
    paid: '{{credits}} added',
    expired: 'The payment has expired',
    cancelled: 'The payment was cancelled',
    failed: 'The payment provider declined this payment',
    in_review: 'The amount paid does not match, and the operator is checking it',
  },
  paid: 'You paid {{yuan}}.',
  paidAt: 'Paid on {{time}}',
  late: 'If you have already paid, do not pay again: your credits will still be added.',
  reviewHint: 'Your money is safe. Contact the operator and include the payment ID.',
  refundedHint: 'The money goes back to the account you paid from. It can take a few days to arrive.',
  extraHint: 'Only one payment of an order adds credits. The money goes back to the account you paid from.',
}

const zh: Translated<typeof en> = {
  payWith: '支付方式',
  methods: { wechat: '微信支付', alipay: '支付宝', simulated: '模拟支付' },
  pay: '支付 {{yuan}}',
  payNothing: '支付',
  title: '支付',
  paymentId: '付款编号',
  buys: '{{credits}}，约可对话 {{calls}} 次',
  code: '支付二维码',
  openApp: { wechat: '打开微信支付', alipay: '打开支付宝支付' },
  open: '打开支付页面',
  paySimulated: '支付（模拟）',
  help: {
    wechat: '打开手机微信，点击右上角“+”，选择“扫一扫”。',
    alipay: '打开手机支付宝，点击“扫一扫”。',
    simulated: '这是模拟支付，不会扣款。',
    other: '请用手机上的支付应用扫码。',
    redirect: '支付完成后请返回本页，结果会自动更新。',
  },
  otherDevice: '手机无法扫描自己屏幕上的二维码。请用另一部手机扫码，或取消后在本机重新支付。',
  preparing: '正在准备支付，请稍候。',
  left: '剩余时间',
  ended: '支付已超时。如已付款，点数仍会到账。',
  check: '我已完成支付',
  checking: '正在查询支付结果，页面会自动更新。',
  cancel: '取消支付',
  again: '再充一笔',
  startNew: '重新充值',
  states: {
    paid: '{{credits}}已到账',
    expired: '支付已过期',
    cancelled: '支付已取消',
    failed: '支付渠道拒绝了这笔付款',
    in_review: '实付金额与订单不符，运营方正在核对',
  },
  paid: '已支付 {{yuan}}。',
  paidAt: '付款时间：{{time}}',
  late: '如已付款，请勿重复支付，点数仍会到账。',
  reviewHint: '您的资金安全。请联系运营方并提供付款编号。',
  refundedHint: '款项将原路退回，到账时间以支付渠道为准。',
  extraHint: '每个订单只有一笔付款会充入点数，多付的款项将原路退回。',
}

export const payment = { en, zh }
