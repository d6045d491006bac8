import { useTranslation } from 'react-i18next'
import { useFieldChoices } from './field-choices.tsx'
import type { Schema } from './schema.ts'

type SayHint = (name: string, schema: Schema, isRequired?: boolean) => string | undefined

/** What to say beside a field: in the reader's language where the console knows it, else as the contract says it. */
export function useHint(): SayHint {
  const { t } = useTranslation()
  const { defaultProvider } = useFieldChoices()
  return (name, { description, enum: names }, isRequired = false) => {
    if (name === 'provider') {
      const usual = defaultProvider(names)
      // It says what happens when it is left out, which a required field cannot be.
      if (isRequired) return undefined
      return usual ? t('playground.hints.defaultsTo', { name: usual }) : t('playground.hints.shop')
    }
    // The documents add which code a wrong value is answered with; here the response itself will say it.
    const published = description?.replace(/ ?Else `[A-Z_]+`\.$/, '') ?? ''
    return t(`playground.hints.${name as 'prompt'}`, { defaultValue: published }) || undefined
  }
}
