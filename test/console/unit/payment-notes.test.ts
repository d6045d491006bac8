import { expect, test } from 'vitest'
import { noteInChinese, noteInEnglish } from '../../../console/src/operator/pages/payments/note-words.ts'

test.each([
  ['paid 4000 fen CNY', '实收 40.00 元'],
  ['paid 4000 fen USD', '实收 40.00 USD'],
  [
    'paid 5000 fen CNY, 1000 fen of it refunded at the provider: 4000 fen are left',
    '实收 50.00 元，其中 10.00 元已在服务商处退款，剩余 40.00 元',
  ],
  [
    'paid 5000 fen CNY, refunded at the provider, which does not say how much',
    '实收 50.00 元，已在服务商处退款，金额未知',
  ],
  [
    'paid 5000 fen CNY, found after it had ended here; the provider does not say whether part of it was refunded',
    '实收 50.00 元，查到时支付已结束，服务商未说明是否已部分退款',
  ],
  ['its order cannot be credited: ORDER_NOT_FOUND', '订单无法入账：ORDER_NOT_FOUND'],
  ['its transaction was credited to another payment', '该交易已入账到另一笔支付'],
  ['the order was paid with another transaction', '订单已由另一笔交易支付'],
  ['the provider refused the refund: NOTENOUGH', '服务商拒绝退款：NOTENOUGH'],
  ['an operator found that it was not refunded', '运营方确认未退款'],
  ['refunded', '已退款'],
  ['the provider refused the refund: paid 1 fen CNY', '服务商拒绝退款：paid 1 fen CNY'],
  ['NOTENOUGH 账户余额不足', 'NOTENOUGH 账户余额不足'],
])('the note %s has Chinese words for Chinese readers', (note, written) => {
  expect(noteInChinese(note)).toBe(written)
})

test.each([
  ['paid 4000 fen CNY', 'paid ¥40.00'],
  ['paid 4000 fen USD', 'paid 40.00 USD'],
  [
    'paid 5000 fen CNY, 1000 fen of it refunded at the provider: 4000 fen are left',
    'paid ¥50.00, ¥10.00 of it refunded at the provider: ¥40.00 are left',
  ],
  ['refunded', 'refunded'],
  ['the provider refused the refund: paid 1 fen CNY', 'the provider refused the refund: paid 1 fen CNY'],
  ['NOTENOUGH 100 fen', 'NOTENOUGH 100 fen'],
])('the note %s has its amounts in yuan for English readers', (note, written) => {
  expect(noteInEnglish(note)).toBe(written)
})
