import type { Translated } from '../../i18n/messages.ts'

declare module '../../i18n/messages.ts' {
  interface PageWords {
    readonly statement: typeof en
  }
}

const en = {
  title: 'Statement for {{month}}',
  lead: '{{days}}, Beijing time. Credits; 10 credits are 1 yuan.',
  soFar: 'The month is not over: entries up to {{time}} are counted.',
  month: 'Month',
  print: 'Print or save as PDF',
  jws: 'Signed statement',
  jsonl: 'Entries',
  files: 'Files to keep',
  filesHint:
    'The signed statement has the same balances and totals, and a digest of all entries. Anyone can verify it with the public keys.',
  project: 'Project {{name}}, {{id}}',
  issued: 'Issued {{time}}',
  opening: 'Opening balance',
  closing: 'Closing balance',
  held: 'of which reserved: {{amount}}',
  days: 'By day',
  day: 'Day',
  recharged: 'Added',
  granted: 'Granted',
  refunded: 'Refunded',
  withdrawn: 'Withdrawn',
  spent: 'Spent',
  reserved: 'Reserved at day end',
  available: 'Available at day end',
  notFound: 'There is no statement for this month.',
  latest: 'Open this month',
} as const

const zh: Translated<typeof en> = {
  title: '{{month}}对账单',
  lead: '{{days}}，北京时间。单位为点数，10 点为 1 元。',
  soFar: '本月尚未结束，数据截至 {{time}}。',
  month: '月份',
  print: '打印或存为 PDF',
  jws: '签名对账单',
  jsonl: '明细文件',
  files: '存档文件',
  filesHint: '签名对账单与本页的余额和合计一致，并含全部明细的摘要，任何人都可以用公钥核验。',
  project: '项目：{{name}}（{{id}}）',
  issued: '出具时间：{{time}}',
  opening: '期初余额',
  closing: '期末余额',
  held: '其中冻结 {{amount}}',
  days: '每日明细',
  day: '日期',
  recharged: '充值',
  granted: '人工入账',
  refunded: '退款',
  withdrawn: '人工扣回',
  spent: '扣费',
  reserved: '日终冻结',
  available: '日终可用',
  notFound: '没有该月的对账单。',
  latest: '查看本月',
}

export const statement = { en, zh }
