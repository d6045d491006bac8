import type { Translated } from '../../i18n/messages.ts'

declare module '../../i18n/messages.ts' {
  interface PageWords {
    readonly log: typeof en
  }
}

const en = {
  period: 'Period',
  look: 'Columns',
  columns: 'Columns',
  model: 'Model',
  latency: 'Latency',
  tokens: 'Tokens',
  tokensHint: 'input → output',
  error: 'Error',
  density: 'Row height',
  comfortable: 'Comfortable',
  compact: 'Compact',
  live: 'Live',
  liveOn: 'Live: new calls appear automatically.',
  livePaused: 'Live is paused while you read. Scroll to the top to continue.',
  newer: 'Newer call',
  older: 'Older call',
  openPage: 'Open full page',
  content: 'Request and response',
  contentUntil: 'Only you can see them. Deleted on {{time}}.',
  contentNone: 'Not kept. Turn on “Keep requests and responses” in the key’s settings.',
  contentGone: 'No longer kept.',
  request: 'Request',
  response: 'Response ({{status}})',
  cut: 'Truncated: the first {{shown}} of {{bytes}} bytes are kept.',
  show: 'Show',
} as const

const zh: Translated<typeof en> = {
  period: '时间范围',
  look: '显示列',
  columns: '显示列',
  model: '模型',
  latency: '耗时',
  tokens: 'Token 数',
  tokensHint: '输入 → 输出',
  error: '错误码',
  density: '行高',
  comfortable: '宽松',
  compact: '紧凑',
  live: '实时',
  liveOn: '实时：新的调用会自动显示。',
  livePaused: '浏览时已暂停，滚动到顶部后继续。',
  newer: '较新的调用',
  older: '较早的调用',
  openPage: '打开详情页',
  content: '请求与响应',
  contentUntil: '仅您可见，将于 {{time}} 删除。',
  contentNone: '未保留。可在密钥设置中开启“保留请求与响应”。',
  contentGone: '已不再保留。',
  request: '请求',
  response: '响应（{{status}}）',
  cut: '内容过长，仅保留前 {{shown}} 字节（共 {{bytes}} 字节）。',
  show: '查看',
}

export const log = { en, zh }
