interface FindingText {
  readonly check: string
  readonly what: string
  /** What to do about it; null if nothing is wrong. */
  readonly remedy: string | null
}

/** In English, which the command line prints, and in Chinese for the console. */
export interface Finding extends FindingText {
  readonly level: 'ok' | 'warning' | 'failure'
  readonly zh: FindingText
}

const checks = {
  configuration: '配置',
  'data directory': '数据目录',
  disk: '磁盘',
  store: '存储',
  schema: '表结构',
  durability: '持久性',
  replication: '主备复制',
  clock: '时钟',
  secret: '主密钥',
  transparency: '公开日志',
  'operator listener': '后台监听地址',
  memory: '内存',
  'public listener': '对外监听地址',
  credentials: '服务商凭据',
  SMS: '短信',
  email: '邮件',
  'payments.simulated': '模拟支付',
  'payments.wechat': '微信支付',
  'payments.alipay': '支付宝',
} as const

/** Each finding is said in both languages, with its remedy. Error messages that it quotes stay in English. */
export const findingsOf = (check: keyof typeof checks) => {
  const make = (
    level: Finding['level'],
    what: string,
    remedy: string | null,
    [zh, zhRemedy]: ChineseText,
  ): Finding => ({
    ...{ check, level, what: unstopped(what), remedy },
    zh: { check: checks[check], what: unstopped(zh), remedy: zhRemedy ?? null },
  })
  return {
    ok: (what: string, zh: string) => make('ok', what, null, [zh]),
    warning: (what: string, remedy: string, zh: [string, string]) => make('warning', what, remedy, zh),
    failure: (what: string, remedy: string, zh: [string, string]) => make('failure', what, remedy, zh),
  }
}

/** A remedy follows after a full stop; quoted error messages may have their own. */
const unstopped = (text: string) => text.replace(/[.。]+$/, '')

type ChineseText = readonly [what: string, remedy?: string]

export type FindingLanguage = 'en' | 'zh'

export const findingIn = (language: FindingLanguage, { zh, level, check, what, remedy }: Finding) =>
  language === 'zh' ? { level, ...zh } : { level, check, what, remedy }
