import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { en } from './en/en.ts'
import type { OperatorWords, PageWords } from './messages.ts'

const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

declare module 'i18next' {
  interface CustomTypeOptions {
    // Words below `operator` exist only in the operator console. `Pick`, because i18next finds no keys in an interface.
    resources: { translation: typeof en & PageWords & { operator: Pick<OperatorWords, keyof OperatorWords> } }
    nsSeparator: false
  }
}

const keptAs = 'console-language'

type LoadWords = (language: Language) => Promise<object>
/** The sections of a page, each in both languages. */
export type Sections = Readonly<Record<string, { readonly en: object; readonly zh: object }>>
let loadStart: LoadWords
const loaded = new Set<Language>()
/** What pages added before the start; null once started. */
let early: Sections[] | null = []

/** Starts in the stored language, else in the browser's. */
export async function startI18n(loader: LoadWords): Promise<void> {
  const initialized = i18next.use(initReactI18next).init({
    lng: preferredLanguage(),
    fallbackLng: false,
    // Scopes have a colon in their names.
    nsSeparator: false,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    resources: {},
    initAsync: false,
  })
  await initialized
  const waiting = early ?? []
  early = null
  addWords(...waiting)
  loadStart = loader
  await load(i18next.language as Language)
  document.documentElement.lang = i18next.language
}

/** Makes the words of a page available. Called by its module, so that they load with it, in the same file. */
export function addWords(...pages: readonly Sections[]): void {
  if (early) {
    early.push(...pages)
    return
  }
  for (const [section, { en, zh }] of pages.flatMap((page) => Object.entries(page))) {
    add('en', { [section]: en })
    add('zh-CN', { [section]: zh })
  }
}

export async function chooseLanguage(language: Language): Promise<void> {
  keep(language)
  await load(language)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

function preferredLanguage(): Language {
  const kept = keptLanguage()
  const isKnown = (languages as readonly (string | null)[]).includes(kept)
  if (isKnown) return kept as Language
  return /^zh\b/i.test(navigator.language) ? 'zh-CN' : 'en'
}

/** If storage is blocked, the choice lasts until the page is reloaded. */
function keep(language: Language): void {
  try {
    localStorage.setItem(keptAs, language)
  } catch {}
}

function keptLanguage(): string | null {
  try {
    return localStorage.getItem(keptAs)
  } catch {
    return null
  }
}

async function load(language: Language): Promise<void> {
  if (loaded.has(language)) return
  add(language, await loadStart(language))
  loaded.add(language)
}

const add = (language: Language, words: object) => i18next.addResourceBundle(language, 'translation', words, true)
