import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from '../../api/types.ts'
import { useFormat } from '../../format/format.ts'
import type { Column } from '../data-table.tsx'
import { Empty } from '../empty.tsx'
import { type PagedQuery, PagedTable } from '../paged-table.tsx'
import { OrderMark } from '../state-mark.tsx'
import styles from './order-table.module.css'

interface OrderTableProps {
  readonly query: PagedQuery<Order>
  /** Beside the state of an order. */
  readonly action?: (order: Order) => ReactNode
}

export function OrderTable({ query, action }: OrderTableProps) {
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
          {action?.(order)}
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
    <PagedTable
      query={query}
      caption={t('recharge.orders')}
      columns={columns}
      rowKey={({ orderId }) => orderId}
      empty={<Empty title={t('recharge.noOrders')} />}
    />
  )
}
