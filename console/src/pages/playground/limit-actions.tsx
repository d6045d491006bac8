import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { LimitSource } from '../../api/ask.ts'
import { keysQuery } from '../../api/queries.ts'
import { useHere } from '../../back-navigation.tsx'
import { LinkButton } from '../../design/button.tsx'

/** After a 402: leads to what the call lacked, credits or a higher budget of its key, and back. */
export function LimitActions({ source, apiKey }: { source: LimitSource; apiKey: string }) {
  const { t } = useTranslation()
  const here = useHere()
  const { data } = useQuery(keysQuery)
  if (source === 'credits')
    return (
      <LinkButton href="/recharge" state={here}>
        {t('recharge.title')}
      </LinkButton>
    )
  const key = data?.items.find(({ displayPrefix }) => isOf(displayPrefix, apiKey))
  return (
    <LinkButton href={key ? `/keys?edit=${key.keyId}` : '/keys'} state={here}>
      {t('trouble.raiseBudget')}
    </LinkButton>
  )
}

/** A displayed prefix has the beginning and the end of the key. */
function isOf(displayPrefix: string, apiKey: string): boolean {
  const [start, end] = displayPrefix.split('...')
  return apiKey.startsWith(start!) && apiKey.endsWith(end!)
}
