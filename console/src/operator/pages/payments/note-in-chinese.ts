/** Notes of the gateway about a payment, which it stores in English; those of a provider stay as they are. */
export function noteInChinese(note: string): string {
  for (const [pattern, written] of sentences) if (pattern.test(note)) return note.replace(pattern, written)
  return note
}

const yuan = (fen: string): string => `${(Number(fen) / 100).toFixed(2)} 元`

type Written = (...found: string[]) => string

const paid: Written = (_, fen, currency, rest) =>
  `实收 ${currency === 'CNY' ? yuan(fen!) : `${(Number(fen) / 100).toFixed(2)} ${currency}`}${restInChinese(rest!)}`

const restInChinese = (rest: string): string =>
  rest
    .replace(', refunded at the provider, which does not say how much', '，已在服务商处退款，金额未知')
    .replace(
      /, (\d+) fen of it refunded at the provider: (\d+) fen are left/,
      (_, refunded: string, left: string) => `，其中 ${yuan(refunded)}已在服务商处退款，剩余 ${yuan(left)}`,
    )
    .replace(
      ', found after it had ended here; the provider does not say whether part of it was refunded',
      '，查到时支付已结束，服务商未说明是否已部分退款',
    )

const sentences: readonly [RegExp, Written][] = [
  [/^paid (\d+) fen (\w+)(.*)$/, paid],
  [/^its order cannot be credited: (\w+)$/, (_, code) => `订单无法入账：${code}`],
  [/^its transaction was credited to another payment$/, () => '该交易已入账到另一笔支付'],
  [/^the order was paid with another transaction$/, () => '订单已由另一笔交易支付'],
  [/^the provider refused the refund: (.*)$/s, (_, reason) => `服务商拒绝退款：${reason}`],
  [/^an operator found that it was not refunded$/, () => '运营方确认未退款'],
]
