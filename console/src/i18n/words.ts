import type { Language } from './i18n.ts'
import type { StartMessages } from './messages.ts'

export const loadWords = async (language: Language): Promise<StartMessages> =>
  language === 'en' ? (await import('./en/en.ts')).en : (await import('./zh/zh.ts')).zh
