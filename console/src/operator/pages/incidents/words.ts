import type { Translated } from '../../../i18n/messages.ts'

declare module '../../../i18n/messages.ts' {
  interface OperatorWords {
    readonly incidents: typeof en
  }
}

const en = {
  title: 'Incidents',
  lead: 'Outages and maintenance that the public status page shows, in both languages. They are public within a minute.',
  add: 'Publish an incident',
  addHint: 'Everybody can read it on the status page. You can correct and end it, not take it back.',
  zh: 'Text in Chinese',
  en: 'Text in English',
  textHint: 'One line: what does not work for whom, and what you do about it.',
  from: 'Beginning',
  fromHint: 'In Beijing time. Now if left empty. A later time announces maintenance.',
  to: 'End',
  toHint: 'Leave it empty while it is unknown.',
  submit: 'Publish',
  published: 'The incident is public.',
  edit: 'Edit',
  editTitle: 'Edit this incident',
  editHint: 'The status page shows the new text within a minute. The audit log keeps the old one.',
  save: 'Save',
  saved: 'The incident is changed.',
  zone: 'In Beijing time.',
  state: 'Status',
  states: { planned: 'Planned', open: 'Open', ended: 'Ended' },
  text: 'Text',
  by: 'By',
  action: 'Action',
  end: 'End',
  endTitle: 'End this incident?',
  endAt: 'Ended at',
  endAtHint: 'In Beijing time. Now if left empty.',
  ended: 'The incident has ended.',
  none: 'No incidents',
  noneHint: 'The status page says that none has been reported.',
} as const

const zh: Translated<typeof en> = {
  title: '状态公告',
  lead: '在公开的服务状态页上显示的故障与维护，中英文各一份，一分钟内公开。',
  add: '发布公告',
  addHint: '所有人都能在服务状态页看到。发布后可以修改和结束，不能撤回。',
  zh: '中文内容',
  en: '英文内容',
  textHint: '一行文字：哪些功能受影响、影响谁、正在如何处理。',
  from: '开始时间',
  fromHint: '北京时间，不填则为现在。填写以后的时间即为维护预告。',
  to: '结束时间',
  toHint: '尚不确定时不填。',
  submit: '发布',
  published: '公告已发布。',
  edit: '修改',
  editTitle: '修改公告',
  editHint: '一分钟内更新到服务状态页，修改前的内容保留在审计日志中。',
  save: '保存',
  saved: '公告已修改。',
  zone: '北京时间。',
  state: '状态',
  states: { planned: '计划中', open: '进行中', ended: '已结束' },
  text: '内容',
  by: '操作员',
  action: '操作',
  end: '结束',
  endTitle: '结束这条公告？',
  endAt: '结束时间',
  endAtHint: '北京时间，不填则为现在。',
  ended: '公告已结束。',
  none: '暂无公告',
  noneHint: '服务状态页显示“暂无记录”。',
}

export const incidents = { en, zh }
