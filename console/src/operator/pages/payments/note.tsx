import { useTranslation } from 'react-i18next'
import { noteInChinese } from './note-in-chinese.ts'

/** Why a payment is in review or failed, in the reader's language. */
export function Note({ note }: { note: string | null }) {
  const { i18n } = useTranslation()
  return note === null || i18n.language === 'en' ? note : noteInChinese(note)
}
