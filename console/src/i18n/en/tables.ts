export const tables = {
  sort: 'Sort',
  period: 'Period',
  from: 'From',
  to: 'To',
  backwards: 'The start date is after the end date.',
  backwardsHint: 'Choose an earlier start or a later end.',
  presets: {
    all: 'All time',
    today: 'Today',
    days7: '7 days',
    days30: '30 days',
    days90: '90 days',
    thisMonth: 'This month',
    lastMonth: 'Last month',
  },
  filters: 'Filters',
  clear: 'Clear filters',
} as const
