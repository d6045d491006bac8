import type { Operation } from '../../contract/operation.ts'
import type { ServiceFacts } from '../facts.ts'
import { en } from './words/en.ts'
import type { Words } from './words/words.ts'
import { zh } from './words/zh.ts'

export interface ReferenceOptions {
  readonly operations: readonly Operation[]
  readonly facts: ServiceFacts
  readonly words: Words
  readonly other: Words
  /** Before every path: empty, or /gateway in the local preview. */
  readonly prefix: string
  readonly assets: { readonly style: string; readonly script: string; readonly mark: string }
}

/** The languages of the docs page; the first is for readers who ask for neither. */
export const languages = ['en', 'zh'] as const
export type Language = (typeof languages)[number]

export const wordsOf: Readonly<Record<Language, Words>> = { en, zh }
export const otherThan = (language: Language): Language => (language === 'en' ? 'zh' : 'en')
