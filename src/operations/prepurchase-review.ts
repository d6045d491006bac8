import type { DataOf } from '../contract/schemas/business.ts'
import type { Item } from '../contract/schemas/products.ts'

type ItemReview = Omit<DataOf<'pick.prepurchase_review'>, 'mode'>
type Check = ItemReview['checks'][number]

/** Lists what the last search says about an item, and marks everything else as unknown; see docs/pick-rules.md. */
export function prepurchaseReview(item: Item, requirements: readonly string[]): ItemReview {
  const checks = [
    known('price', `上次搜索时的价格：${yuan(item.priceCents)} 元`),
    availabilityCheck(item),
    ...requirements.map((requirement, i) => requirementCheck(item, requirement, `requirement_${i + 1}`)),
    unknown('seller', '无法从搜索结果确认：商家资质'),
    unknown('shipping', '无法从搜索结果确认：运费和送达时间'),
    unknown('after_sales', '无法从搜索结果确认：退换货和保修'),
  ]
  const knownCount = checks.filter(({ status }) => status === 'known').length
  return {
    itemRef: item.itemRef,
    summary: `共 ${checks.length} 项：${knownCount} 项来自最近一次搜索，${checks.length - knownCount} 项需要在购买前核实。`,
    checks,
    limitations: [
      '价格和库存可能在搜索之后变化。',
      '只核对标题和卖点的文字，不代表商品实际具备。',
      ...(item.testOnly ? ['这是本地测试数据，不是真实平台的商品。'] : []),
    ],
  }
}

const known = (code: string, message: string): Check => ({ code, status: 'known', message })
const unknown = (code: string, message: string): Check => ({ code, status: 'unknown', message })

function availabilityCheck({ availability }: Item): Check {
  switch (availability) {
    case 'available':
      return known('availability', '上次搜索时有货')
    case 'unavailable':
      return known('availability', '上次搜索时无货')
    case 'unknown':
      return unknown('availability', '无法从搜索结果确认：是否有货')
  }
}

const maxQuotedChars = 100

/** Known only if the seller used these very words: a looser match would claim too much. */
function requirementCheck({ title, highlights }: Item, requirement: string, code: string): Check {
  const wanted = normalize(requirement)
  if (wanted === '') return unknown(code, '这项要求是空的，无法核对')
  const quoted = quote(requirement)
  const source = normalize(title).includes(wanted)
    ? '标题'
    : highlights.some((text) => normalize(text).includes(wanted)) && '卖点'
  return source ? known(code, `${source}写明：${quoted}`) : unknown(code, `无法从搜索结果确认：${quoted}`)
}

const normalize = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, '')

function quote(text: string): string {
  const chars = Array.from(text.toWellFormed().trim())
  return chars.length <= maxQuotedChars ? chars.join('') : `${chars.slice(0, maxQuotedChars).join('')}…`
}

const yuan = (fen: number) => `${Math.trunc(fen / 100)}.${String(fen % 100).padStart(2, '0')}`
