import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { allEn } from './en/all.ts'
import type { operatorEn } from './operator/en/en.ts'

export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

declare module 'i18next' {
  interface CustomTypeOptions {
    // The words below `operator` are there in the operator's console alone.
    resources: { translation: typeof allEn & { operator: typeof operatorEn } }
    nsSeparator: false
  }
}

const keptAs = 'console-language'

export type LoadWords = (language: Language) => Promise<object>
/** Whose words are wanted in every language that is chosen, and the languages that are there already. */
const loaders = new Map<LoadWords, Set<Language>>()
let isReady: Promise<unknown>

/** Starts in the language that was chosen here before, else in that of the browser. */
export async function startI18n(loader: LoadWords): Promise<void> {
  isReady = i18next.use(initReactI18next).init({
    lng: preferredLanguage(),
    fallbackLng: false,
    // Scopes have a colon in their names.
    nsSeparator: false,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    resources: {},
    initAsync: false,
  })
  await addWords(loader)
  document.documentElement.lang = i18next.language
}

/** Words beyond those of the start. The promise resolves once they can be said. */
export async function addWords(loader: LoadWords): Promise<void> {
  if (!loaders.has(loader)) loaders.set(loader, new Set())
  await isReady
  await load(loader, i18next.language as Language)
}

export async function chooseLanguage(language: Language): Promise<void> {
  keep(language)
  await Promise.all([...loaders.keys()].map((loader) => load(loader, language)))
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

function preferredLanguage(): Language {
  const kept = keptLanguage()
  const isKnown = (languages as readonly (string | null)[]).includes(kept)
  if (isKnown) return kept as Language
  return /^zh\b/i.test(navigator.language) ? 'zh-CN' : 'en'
}

/** A browser may refuse to keep anything; then the choice lasts as long as the page. */
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

async function load(loader: LoadWords, language: Language): Promise<void> {
  const languages = loaders.get(loader)!
  if (languages.has(language)) return
  i18next.addResourceBundle(language, 'translation', await loader(language), true)
  languages.add(language)
}
