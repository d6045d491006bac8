import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ordersQuery } from '../../api/queries.ts'
import type { Order } from '../../api/types.ts'
import type { Column } from '../../design/data-table.tsx'
import { Empty } from '../../design/empty.tsx'
import { PagedTable } from '../../design/paged-table.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { OrderMark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './order-list.module.css'

export function OrderList({ onResume }: { onResume?: (order: Order) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Order>[] = [
    { key: 'order', title: t('recharge.order'), isMain: true, cell: ({ orderId }) => <code>{orderId}</code> },
    {
      key: 'created',
      title: t('recharge.created'),
      narrow: 'untitled',
      cell: ({ createdAt }) => format.dateTime(createdAt),
    },
    {
      key: 'state',
      title: t('recharge.state'),
      narrow: 'untitled',
      cell: (order) => (
        <span className={styles.state}>
          <OrderMark state={order.state} />
          {order.state === 'pending' && onResume && (
            <Button size="compact-xs" variant="default" onClick={() => onResume(order)}>
              {t('recharge.continue')}
            </Button>
          )}
        </span>
      ),
    },
    {
      key: 'pays',
      title: t('recharge.pays'),
      isNumber: true,
      narrow: 'beside',
      cell: ({ amountFen }) => format.yuanOfFen(amountFen),
    },
    {
      key: 'gets',
      title: t('recharge.gets'),
      isNumber: true,
      cell: ({ creditAmount }) => format.number(creditAmount),
    },
  ]
  return (
    <Sheet title={t('recharge.orders')}>
      <PagedTable
        query={ordersQuery}
        caption={t('recharge.orders')}
        columns={columns}
        rowKey={({ orderId }) => orderId}
        empty={<Empty title={t('recharge.noOrders')} />}
      />
    </Sheet>
  )
}
