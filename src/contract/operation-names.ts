import type { ChargedOperation } from './prices.ts'

/** What people call each operation: in the console, on the public pages and in the Chinese reference. */
export const operationNames: Readonly<Record<ChargedOperation, { readonly en: string; readonly zh: string }>> = {
  'agent.run': { en: 'Run the shopping agent', zh: '购物智能体' },
  'model.chat': { en: 'Model chat', zh: '模型对话' },
  'shopping.search': { en: 'Shopping search', zh: '购物搜索' },
  'pick.compare': { en: 'Compare products', zh: '商品对比' },
  'pick.filter': { en: 'Filter products', zh: '商品筛选' },
  'pick.links': { en: 'Product links', zh: '商品链接' },
  'pick.prepurchase_review': { en: 'Pre-purchase check', zh: '购前检查' },
  'pick.recommend': { en: 'Rank products', zh: '商品推荐' },
  'pick.search': { en: 'Product search', zh: '选品搜索' },
  'media.video': { en: 'Video', zh: '视频生成' },
}
