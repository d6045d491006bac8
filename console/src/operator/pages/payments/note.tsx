import { useTranslation } from 'react-i18next'
import { noteInChinese, noteInEnglish } from './note-words.ts'

/** Why a payment is in review or failed, in the reader's language. */
export function Note({ note }: { note: string | null }) {
  const { i18n } = useTranslation()
  return note && (i18n.language === 'en' ? noteInEnglish : noteInChinese)(note)
}
