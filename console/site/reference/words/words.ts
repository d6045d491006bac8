import { type ErrorCode, errors } from '../../../../src/contract/errors.ts'
import { tags as englishTags, type Operation, type Tag } from '../../../../src/contract/operation.ts'
import type { ServiceFacts } from '../../../../src/documents/facts.ts'
import { guide, type Language, languages, languageTags } from '../../../../src/documents/guide.ts'
import { englishLimits, type LimitWords, limitLines } from '../../../../src/documents/llms.ts'
import { chineseLimitLines, chineseLimits, operations, sentences, tags } from './chinese.ts'
import { accessRows, pageRows, quickStartRows } from './page-rows.ts'

type PairRows = Readonly<Record<string, readonly [unknown, unknown]>>

const inLanguage = <R extends PairRows>(rows: R, language: Language) =>
  Object.fromEntries(Object.entries(rows).map(([name, pair]) => [name, pair[languages.indexOf(language)]])) as {
    readonly [Name in keyof R]: R[Name][0]
  }

const shared = (language: Language) => ({
  /** The name of the language in the path of its page. */
  path: language,
  page: inLanguage(pageRows, language),
  access: inLanguage(accessRows, language),
  quickStart: inLanguage(quickStartRows, language),
  guide: (of: Parameters<typeof guide>[0]) => guide(of, language),
})

/** What the docs page says in one language. English is taken from the contract; Chinese is written for Chinese readers. */
export interface Words extends ReturnType<typeof shared> {
  readonly lang: string
  readonly limits: LimitWords
  readonly tag: (tag: Tag) => { readonly title: string; readonly text: string }
  readonly operation: (operation: Operation) => { readonly summary: string; readonly description: string }
  readonly error: (code: ErrorCode) => { readonly meaning: string; readonly retry: string }
  /** A description of a field, a header or a response. */
  readonly sentence: (text: string) => string
  /** Lines of the list of what differs between installations. */
  readonly facts: (facts: ServiceFacts) => readonly string[]
}

/** A test says which texts of the contract the Chinese page still lacks. */
export const wordsOf: Readonly<Record<Language, Words>> = {
  en: {
    ...shared('en'),
    lang: languageTags.en,
    limits: { ...englishLimits, between: (least, most, unit) => `${least} to ${most} ${unit}`.trim() },
    tag: (tag) => ({ title: tag, text: englishTags[tag] }),
    operation: ({ summary, description = '' }) => ({ summary, description }),
    error: (code) => errors[code],
    sentence: (text) => text,
    facts: limitLines,
  },
  zh: {
    ...shared('zh'),
    lang: languageTags.zh,
    limits: chineseLimits,
    tag: (tag) => tags[tag as keyof typeof tags] ?? { title: tag, text: '' },
    operation: ({ id, summary, description = '' }) => operations[id] ?? { summary, description },
    error: (code) => errors[code].zh,
    sentence: (text) => sentences[text] ?? text,
    facts: chineseLimitLines,
  },
}
