import { yuanOfFen } from '../../../../contract/prices.ts'
import { lies, type SimulatedTrade, type SimulatedTransaction } from '../../../../providers/payments/simulated.ts'

export interface ShownTrade {
  readonly trade: SimulatedTrade
  readonly transactions: readonly SimulatedTransaction[]
  readonly activeLies: ReadonlySet<string>
  readonly isExpired: boolean
}

/** What a tester can do with a trade. Paying late or twice is allowed on purpose. */
const actions = [
  ['pay', 'Pay', '支付'],
  ['pay_other', 'Pay a different amount', '支付其他金额'],
  ['close', 'Cancel', '取消'],
] as const

const words: Record<(typeof lies)[number], readonly [string, string]> = {
  callback_lost: ['Lose the callback', '丢失回调'],
  callback_twice: ['Send the callback twice', '重复发送回调'],
  callback_forged: ['Forge the callback', '伪造回调'],
  callback_other_order: ['Send the callback for another order', '回调到其他订单'],
  create_lost: ['Lose the response to a new payment', '丢失下单响应'],
  query_not_paid: ['Report that nothing was paid', '查询返回未支付'],
  query_wrong_currency: ['Report another currency', '查询返回其他币种'],
  close_lies: ['Pretend to close the payment', '假装关单'],
  refund_unclear: ['Leave refunds unclear', '退款结果不明'],
  bill_missing: ['Leave a line out of the bill', '账单漏记一笔'],
  down: ['Be down', '服务中断'],
}

/** The page where a trade is paid. It belongs to the simulated provider, not to the gateway. */
export function simulatedPage({ trade, transactions, activeLies, isExpired }: ShownTrade): string {
  const paid = transactions.filter(({ kind }) => kind === 'payment')
  const state =
    paid.length > 0 ? `paid ${paid.length}×` : trade.state === 'closed' ? 'closed' : isExpired ? 'expired' : 'open'
  const buttons = actions.map(([name, en, zh]) => button('action', name, `${en} · ${zh}`)).join('\n')
  const switches = lies
    .map((lie) => button('lie', lie, `${activeLies.has(lie) ? '☑' : '☐'} ${words[lie].join(' · ')}`))
    .join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated payment · 模拟支付</title><link rel="icon" href="data:,">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:2rem auto;padding:0 1rem}
button{font:inherit;padding:.6rem 1rem;margin:.25rem 0;display:block;width:100%;text-align:left}
.amount{font-size:2rem;margin:.5rem 0}</style></head>
<body><main><h1>Simulated payment <span lang="zh-CN">模拟支付</span></h1>
<p>No money moves here. <span lang="zh-CN">不会产生真实扣款。</span></p>
<p class="amount">¥ ${yuanOfFen(trade.amountFen)}</p>
<p id="state">${state}</p>
<form method="post">${buttons}</form>
<h2>Make this provider misbehave <span lang="zh-CN">模拟支付渠道异常</span></h2>
<form method="post">${switches}</form></main></body></html>
`
}

const button = (name: string, value: string, label: string) =>
  `<button type="submit" name="${name}" value="${value}">${label}</button>`
