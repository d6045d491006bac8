import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Json, JsonObject } from './schema.ts'

/** The example of the contract, with its texts in the reader's language. */
export function useLocalExample(example: JsonObject): JsonObject {
  const { t } = useTranslation()
  return useMemo(() => {
    const texts: JsonObject = {
      prompt: t('playground.samples.prompt.a'),
      query: t('playground.samples.query.a'),
      requirements: [t('playground.samples.requirement')],
    }
    return localized(example, texts) as JsonObject
  }, [example, t])
}

function localized(value: Json, texts: JsonObject): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, field]) => [name, texts[name] ?? localized(field, texts)]),
  )
}
