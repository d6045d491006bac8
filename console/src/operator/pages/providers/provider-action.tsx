import { useTranslation } from 'react-i18next'
import { askToWrite, operatorApi } from '../../api/client.ts'
import type { Provider } from '../../api/types.ts'
import { ActionButton } from '../../parts/action-button.tsx'

/** Takes a provider out of service or puts it back. What the configuration disables stays so. */
export function ProviderAction({ provider: { kind, name, state } }: { provider: Provider }) {
  const { t } = useTranslation()
  if (state === 'disabled') return null
  const isOut = state === 'out_of_service'
  const action = isOut ? 'putBack' : 'takeOut'
  const path = isOut ? '/providers/{kind}/{name}/put-back' : '/providers/{kind}/{name}/take-out'
  return (
    <ActionButton
      size="compact-xs"
      label={t(`operator.providers.${action}`)}
      ariaLabel={`${t(`operator.providers.${action}`)}: ${name}`}
      title={t(`operator.providers.${action}Title`, { name })}
      hint={t(`operator.providers.${action}Hint`)}
      isDestructive={!isOut}
      send={(reason) =>
        askToWrite(() => operatorApi.POST(path, { params: { path: { kind, name } }, body: { reason } }))
      }
      news={t(`operator.providers.${isOut ? 'backAgain' : 'takenOut'}`, { name })}
    />
  )
}
