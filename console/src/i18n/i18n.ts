import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { allEn } from './en/all.ts'
import type { operatorEn } from './operator/en/en.ts'

const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

declare module 'i18next' {
  interface CustomTypeOptions {
    // Words below `operator` exist only in the operator console.
    resources: { translation: typeof allEn & { operator: typeof operatorEn } }
    nsSeparator: false
  }
}

const keptAs = 'console-language'

export type LoadWords = (language: Language) => Promise<object>
/** Active loaders with the languages each has loaded. */
const loaders = new Map<LoadWords, Set<Language>>()
let isReady: Promise<unknown>

/** Starts in the stored language, else in the browser's. */
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

/** Loads more words; resolves once they are available. */
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

async function load(loader: LoadWords, language: Language): Promise<void> {
  const languages = loaders.get(loader)!
  if (languages.has(language)) return
  i18next.addResourceBundle(language, 'translation', await loader(language), true)
  languages.add(language)
}
