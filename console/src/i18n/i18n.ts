import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { en } from './en/en.ts'
import type { operatorEn } from './operator/en/en.ts'

export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]

declare module 'i18next' {
  interface CustomTypeOptions {
    // The words below `operator` are there in the operator's console alone.
    resources: { translation: typeof en & { operator: typeof operatorEn } }
    nsSeparator: false
  }
}

const keptAs = 'console-language'

type LoadWords = (language: Language) => Promise<object>
let loadWords: LoadWords

/** Starts in the language that was chosen here before, else in that of the browser. */
export async function startI18n(loader: LoadWords): Promise<void> {
  loadWords = loader
  await i18next.use(initReactI18next).init({
    lng: preferredLanguage(),
    fallbackLng: false,
    // Scopes have a colon in their names.
    nsSeparator: false,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    resources: {},
    initAsync: false,
  })
  await load(i18next.language as Language)
  document.documentElement.lang = i18next.language
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

async function load(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return
  i18next.addResourceBundle(language, 'translation', await loadWords(language))
}
