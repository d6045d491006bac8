import { useTranslation } from 'react-i18next'
import { ordersQuery } from '../../api/queries.ts'
import type { Order } from '../../api/types.ts'
import { RowButton } from '../../design/button.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { OrderTable } from '../../design/tables/order-table.tsx'

export function OrderList({ onResume }: { onResume?: (order: Order) => void }) {
  const { t } = useTranslation()
  return (
    <Sheet title={t('recharge.orders')}>
      <OrderTable
        query={ordersQuery}
        action={(order) =>
          order.state === 'pending' &&
          onResume && <RowButton onClick={() => onResume(order)}>{t('recharge.continue')}</RowButton>
        }
      />
    </Sheet>
  )
}
