import type { Messages } from '../messages.ts'

export const tables: Messages['tables'] = {
  sort: '排序',
  period: '时间范围',
  from: '开始日期',
  to: '结束日期',
  backwards: '开始日期晚于结束日期。',
  backwardsHint: '请选择更早的开始日期或更晚的结束日期。',
  presets: {
    all: '全部时间',
    today: '今天',
    days7: '近 7 天',
    days30: '近 30 天',
    days90: '近 90 天',
    thisMonth: '本月',
    lastMonth: '上月',
  },
  filters: '筛选',
  clear: '清除筛选',
}
