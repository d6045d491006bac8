import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { overviewQuery } from '../../api/queries.ts'
import { useCameFrom } from '../../back-navigation.tsx'
import { LinkButton } from '../../design/button.tsx'

/** After credits were added: a first key, or the page that lacked the credits, or a call. */
export function NextStep() {
  const { t } = useTranslation()
  const { data } = useQuery(overviewQuery)
  const back = useCameFrom(/^\/(?!$|recharge)/)
  if (data?.firstSteps.hasKey !== true)
    return (
      <LinkButton size="md" href="/keys">
        {t('recharge.toKeys')}
      </LinkButton>
    )
  return (
    <LinkButton size="md" href={back ?? '/playground'}>
      {t(back === null ? 'recharge.toPlayground' : 'recharge.goBack')}
    </LinkButton>
  )
}
