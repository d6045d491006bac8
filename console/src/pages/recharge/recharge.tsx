import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pricingQuery } from '../../api/queries.ts'
import { Notice } from '../../design/notice.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { PageSkeleton } from '../../design/page-skeleton.tsx'
import { Problem } from '../../design/problem.tsx'
import { AmountForm } from './amount-form.tsx'
import { OrderList } from './order-list.tsx'
import { OrderProgress } from './order-progress.tsx'
import { useRecharge } from './use-recharge.ts'

export function Recharge() {
  const { t } = useTranslation()
  const { data: pricing, error, refetch } = useQuery(pricingQuery)
  const flow = useRecharge()
  if (!pricing && !error) return <PageSkeleton label={t('common.loading')} />
  const isOpen = pricing?.paymentMode === 'local-simulated'
  return (
    <div>
      <PageHead title={t('recharge.title')} lead={t('recharge.lead')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {pricing && !isOpen && <Notice title={t('recharge.disabledTitle')}>{t('recharge.disabled')}</Notice>}
      {pricing && isOpen && (
        <>
          <Notice title={t('recharge.simulatedTitle')}>{t('recharge.simulated')}</Notice>
          {flow.order || flow.isCreateUnknown || flow.isCreating ? (
            <OrderProgress key={flow.order?.orderId} flow={flow} />
          ) : (
            <AmountForm pricing={pricing} flow={flow} />
          )}
        </>
      )}
      <OrderList {...(isOpen && { onResume: flow.resume })} />
    </div>
  )
}
