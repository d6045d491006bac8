import type { Language } from './i18n.ts'
import type { Messages } from './messages.ts'

/** What the console says, without the operator's pages. */
export const loadWords = async (language: Language): Promise<Messages> =>
  language === 'en' ? (await import('./en/en.ts')).en : (await import('./zh/zh.ts')).zh
