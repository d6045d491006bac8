import { yuanOfFen } from '../../contract/prices.ts'
import { lies, type SimulatedTrade, type SimulatedTransaction } from '../../providers/payments/simulated.ts'

export interface ShownTrade {
  readonly trade: SimulatedTrade
  readonly transactions: readonly SimulatedTransaction[]
  readonly told: ReadonlySet<string>
  readonly isExpired: boolean
}

/** What somebody can do about a trade. Paying late or twice is allowed on purpose. */
const actions = [
  ['pay', 'Pay', '付款'],
  ['pay_other', 'Pay another amount', '付另一个金额'],
  ['close', 'Cancel', '取消'],
] as const

const words: Record<(typeof lies)[number], readonly [string, string]> = {
  callback_lost: ['Lose the callback', '丢失回调'],
  callback_twice: ['Send the callback twice', '回调发两次'],
  callback_forged: ['Forge the callback', '伪造回调'],
  callback_other_order: ['Send the callback for another order', '回调另一个订单'],
  create_lost: ['Lose the answer to a new payment', '丢失下单应答'],
  query_not_paid: ['Say that nothing was paid', '查询答未付款'],
  query_wrong_currency: ['Say another currency', '查询答另一币种'],
  close_lies: ['Close without closing', '假装关单'],
  refund_unclear: ['Leave refunds unclear', '退款结果不明'],
  bill_missing: ['Leave a line out of the bill', '账单漏一行'],
  down: ['Be down', '服务中断'],
}

/** The page where a trade is paid: of the simulated provider, not of the gateway. */
export function simulatedPage({ trade, transactions, told, isExpired }: ShownTrade): string {
  const paid = transactions.filter(({ kind }) => kind === 'payment')
  const state =
    paid.length > 0 ? `paid ${paid.length}×` : trade.state === 'closed' ? 'closed' : isExpired ? 'expired' : 'open'
  const buttons = actions.map(([name, en, zh]) => button('action', name, `${en} · ${zh}`)).join('\n')
  const switches = lies
    .map((lie) => button('lie', lie, `${told.has(lie) ? '☑' : '☐'} ${words[lie].join(' · ')}`))
    .join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulated payment · 模拟付款</title><link rel="icon" href="data:,">
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:2rem auto;padding:0 1rem}
button{font:inherit;padding:.6rem 1rem;margin:.25rem 0;display:block;width:100%;text-align:left}
.amount{font-size:2rem;margin:.5rem 0}</style></head>
<body><main><h1>Simulated payment <span lang="zh-CN">模拟付款</span></h1>
<p>No money moves here. <span lang="zh-CN">这里不会产生真实的付款。</span></p>
<p class="amount">¥ ${yuanOfFen(trade.amountFen)}</p>
<p id="state">${state}</p>
<form method="post">${buttons}</form>
<h2>What this provider does wrong <span lang="zh-CN">让支付方出错</span></h2>
<form method="post">${switches}</form></main></body></html>
`
}

const button = (name: string, value: string, label: string) =>
  `<button type="submit" name="${name}" value="${value}">${label}</button>`
