import { useTranslation } from 'react-i18next'

/** What to say beside a field: in the reader's language where the console knows it, else as the contract says it. */
export function useHint(): (name: string, description: string | undefined, isRequired?: boolean) => string | undefined {
  const { t } = useTranslation()
  return (name, description, isRequired = false) => {
    // There it says what happens when it is left out.
    if (name === 'provider' && isRequired) return undefined
    // The documents add which code a wrong value is answered with; here the answer itself will say it.
    const published = description?.replace(/ ?Else `[A-Z_]+`\.$/, '') ?? ''
    return t(`playground.hints.${name as 'prompt'}`, { defaultValue: published }) || undefined
  }
}
