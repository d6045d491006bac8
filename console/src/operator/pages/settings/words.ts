import type { Translated } from '../../../i18n/messages.ts'

declare module '../../../i18n/messages.ts' {
  interface OperatorWords {
    readonly settings: typeof en
  }
}

const en = {
  title: 'Settings',
  lead: 'This instance’s configuration and the findings of doctor. Change settings in the environment or the configuration file.',
  doctor: 'Doctor',
  healthy: 'No problems found.',
  failures_one: '{{count}} failure',
  failures_other: '{{count}} failures',
  warnings_one: '{{count}} warning',
  warnings_other: '{{count}} warnings',
  and: ', ',
  checkAgain: 'Check again',
  check: 'Check',
  level: 'Result',
  levels: { ok: 'OK', warning: 'Warning', failure: 'Failure' },
  what: 'Finding',
  configuration: 'Effective configuration',
  key: 'Setting',
  value: 'Value',
  search: 'Filter settings',
  noMatch: 'No matching settings',
  empty: 'not set',
  secrets: 'Secrets are shown as “set” or “not set”.',
} as const

const zh: Translated<typeof en> = {
  title: '设置',
  lead: '当前实例的生效配置和自检结果。如需修改，请编辑环境变量或配置文件。',
  doctor: '自检',
  healthy: '没有发现问题。',
  failures_other: '{{count}} 项故障',
  warnings_other: '{{count}} 项警告',
  and: '，',
  checkAgain: '重新检查',
  check: '检查项',
  level: '结果',
  levels: { ok: '正常', warning: '警告', failure: '故障' },
  what: '说明',
  configuration: '生效配置',
  key: '配置项',
  value: '值',
  search: '筛选配置项',
  noMatch: '没有符合条件的配置项',
  empty: '未设置',
  secrets: '敏感信息仅显示是否已设置（set / not set）。',
}

export const settings = { en, zh }
