import { en } from './words/en.ts'
import type { Words } from './words/words.ts'
import { zh } from './words/zh/zh.ts'

/** The languages of the docs page; the first is for readers who ask for neither. */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

export const wordsOf: Readonly<Record<Language, Words>> = { en, zh }
export const otherThan = (language: Language): Language => (language === 'en' ? 'zh' : 'en')
