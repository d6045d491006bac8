import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Charge, LedgerEntry, Order } from '../api/types.ts'
import { useFormat } from '../format/format.ts'
import { CopyId } from './copy.tsx'
import { type Column, DataTable, type PagedQuery, PagedTable } from './data-table.tsx'
import { ChargeMark, KeyLabel, Mark, OrderMark, Time } from './figures.tsx'
import { Empty } from './notice.tsx'
import styles from './tables.module.css'

export interface CallProps {
  readonly chargeId: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Renders the name of a call; payers get a link to its details. */
type Call = ComponentType<CallProps>

const plainCall: Call = ({ children }) => children

export function ChargeTable({ charges, Call = plainCall }: { charges: readonly Charge[]; Call?: Call }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Charge>[] = [
    { key: 'time', title: t('usage.time'), narrow: 'untitled', cell: ({ reservedAt }) => <Time at={reservedAt} /> },
    {
      key: 'operation',
      title: t('usage.operation'),
      isMain: true,
      cell: ({ operation, chargeId }) => (
        <Call chargeId={chargeId} className={styles.operation}>
          {t(`operations.${operation}`)} <code>{operation}</code>
        </Call>
      ),
    },
    { key: 'state', title: t('usage.state'), narrow: 'untitled', cell: ({ state }) => <ChargeMark state={state} /> },
    {
      key: 'key',
      title: t('usage.key'),
      narrow: 'omitted',
      cell: ({ keyName, keyDisplayPrefix }) => <KeyLabel name={keyName} prefix={keyDisplayPrefix} />,
    },
    {
      key: 'charge',
      title: t('usage.charge'),
      narrow: 'omitted',
      cell: ({ chargeId }) => <CopyId id={chargeId} of={t('usage.charge')} isShort />,
    },
    {
      key: 'credits',
      title: t('usage.credits'),
      isNumber: true,
      narrow: 'inline',
      cell: ({ credits, state }) => (
        <span className={styles.credits} data-released={state === 'released' || undefined}>
          {format.number(credits)}
        </span>
      ),
    },
  ]
  return <DataTable caption={t('usage.table')} columns={columns} rows={charges} rowKey={({ chargeId }) => chargeId} />
}

/** The effect of an entry on the available credits. */
const signs = { credit: '+', reserve: '−', settle: '', release: '+', review: '', grant: '+', withdraw: '−' } as const

/** The credits of a refund left the available ones when they were held, like those of a settled call. */
const movementOf = ({ kind, orderId }: LedgerEntry) => (kind === 'withdraw' && orderId !== null ? 'settle' : kind)

interface EntryTableProps {
  readonly entries: readonly LedgerEntry[]
  /** On the details page of the call itself, which needs no link to it. */
  readonly isOfOneCall?: boolean
  readonly Call?: Call
  /** Next to what an entry is about. */
  readonly action?: (entry: LedgerEntry) => ReactNode
}

export function EntryTable({ entries, isOfOneCall, Call = plainCall, action }: EntryTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const about: Column<LedgerEntry> = {
    key: 'about',
    title: t('ledger.about'),
    isText: true,
    narrow: 'untitled',
    cell: (entry) => (
      <span className={styles.aboutEntry}>
        <About entry={entry} Call={Call} />
        {action?.(entry)}
      </span>
    ),
  }
  const columns: Column<LedgerEntry>[] = [
    { key: 'seq', title: t('ledger.entry'), isNumber: true, narrow: 'omitted', cell: ({ seq }) => format.number(seq) },
    { key: 'time', title: t('ledger.time'), narrow: 'untitled', cell: ({ enteredAt }) => <Time at={enteredAt} /> },
    {
      key: 'kind',
      title: t('ledger.kind'),
      isMain: true,
      cell: ({ kind, orderId }) => (
        <span className={styles.kind}>
          {orderId !== null && isOfRefund(kind) ? (
            t(`ledger.refund.${kind}`)
          ) : (
            <>
              {t(`ledger.kinds.${kind}`)} <span className={styles.effect}>{t(`ledger.effects.${kind}`)}</span>
            </>
          )}
        </span>
      ),
    },
    ...(isOfOneCall ? [] : [about]),
    {
      key: 'amount',
      title: t('ledger.amount'),
      isNumber: true,
      narrow: 'inline',
      cell: (entry) => (
        <span className={styles.amount} data-kind={movementOf(entry)}>
          {signs[movementOf(entry)]}
          {format.number(entry.amount)}
        </span>
      ),
    },
    { key: 'reserved', title: t('ledger.reserved'), isNumber: true, cell: ({ reserved }) => format.number(reserved) },
    {
      key: 'available',
      title: t('ledger.available'),
      isNumber: true,
      cell: ({ available }) => <strong>{format.number(available)}</strong>,
    },
  ]
  return <DataTable caption={t('ledger.title')} columns={columns} rows={entries} rowKey={({ seq }) => String(seq)} />
}

function About({ entry, Call }: { entry: LedgerEntry; Call: Call }) {
  const { t } = useTranslation()
  const paidText = usePaidText()
  const { chargeId, operation, orderId, reference, orderFen, paidFen } = entry
  if (chargeId) {
    return (
      <Call chargeId={chargeId} className={styles.about}>
        {operation ? t(`operations.${operation}`) : <code>{chargeId}</code>}
      </Call>
    )
  }
  return (
    <>
      {orderFen !== null && <span>{paidText({ orderFen, paidFen, paidCurrency: 'CNY' }).text}</span>}
      {reference ? (
        <Reference reference={reference} />
      ) : (
        orderId && <CopyId id={orderId} of={t('ledger.order')} isShort />
      )}
    </>
  )
}

/** An ID of a payment or refund takes one line; what an operator wrote is shown whole. */
function Reference({ reference }: { reference: string }) {
  const { t } = useTranslation()
  const isId = reference.length > 20 && !/\s/.test(reference)
  return (
    <span className={styles.reference}>
      {t('ledger.reference')} {isId ? <CopyId id={reference} of={t('ledger.reference')} isShort /> : reference}
    </span>
  )
}

const orderName = ({ orderId }: Order) => <code>{orderId}</code>

/** What a refund does with the credits of an order. */
const isOfRefund = (kind: LedgerEntry['kind']): kind is 'reserve' | 'withdraw' | 'release' =>
  kind === 'reserve' || kind === 'withdraw' || kind === 'release'

interface OrderTableProps {
  readonly query: PagedQuery<Order>
  /** The order's ID by default. */
  readonly name?: (order: Order) => ReactNode
  /** An order that is known better than from the list, if it is in it. */
  readonly newest?: Order | null
  /** Next to the state of an order. */
  readonly action?: (order: Order) => ReactNode
}

/** The state, what was refunded, and what was received once more. */
function OrderState({ order: { state, refundedFen, paidCurrency, extraPayments } }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const extraText = useExtraText()
  const refunded = t('recharge.refunded', { yuan: format.money(refundedFen, paidCurrency ?? 'CNY') })
  if (state === 'failed' && refundedFen > 0) return <Mark tone="plain">{refunded}</Mark>
  return (
    <>
      <OrderMark state={state} />
      {refundedFen > 0 && <Mark tone="plain">{refunded}</Mark>}
      {extraPayments.length > 0 && <span className={styles.note}>{extraText(extraPayments)}</span>}
    </>
  )
}

/** "Two payments received, 50.00 yuan to be paid back". */
export function useExtraText(): (extraPayments: Order['extraPayments']) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (extraPayments) => {
    /** A sum for each currency. */
    const sumOf = (fenOf: (one: Order['extraPayments'][number]) => number): string => {
      const sums = new Map<string, number>()
      for (const one of extraPayments) sums.set(one.currency, (sums.get(one.currency) ?? 0) + fenOf(one))
      return [...sums]
        .filter(([, fen]) => fen > 0)
        .map(([currency, fen]) => format.money(fen, currency))
        .join(' + ')
    }
    const left = sumOf((one) => one.amountFen - one.refundedFen)
    if (left === '') return t('recharge.extraRefunded', { yuan: sumOf(({ refundedFen }) => refundedFen) })
    const count = extraPayments.length + 1
    return t(count === 2 ? 'recharge.paidTwice' : 'recharge.paidOften', {
      ...{ amount: format.number(count), yuan: left },
    })
  }
}

interface PaidMoney {
  readonly orderFen: number
  readonly paidFen: number | null
  readonly paidCurrency: string | null
}

/** What was received, or the amount of the order; `text` is "Paid ¥51.00 (order ¥50.00)" if they differ. */
export function usePaidText(): (money: PaidMoney) => { readonly amount: string; readonly text: string } {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ orderFen, paidFen, paidCurrency }) => {
    const order = format.yuanOfFen(orderFen)
    const amount = paidFen === null ? order : format.money(paidFen, paidCurrency!)
    return { amount, text: amount === order ? order : t('recharge.paidOfOrder', { paid: amount, order }) }
  }
}

/** In a cell: breaks rather than push the columns after it over the edge. */
export const PaidText = (money: PaidMoney) => <span className={styles.paid}>{usePaidText()(money).text}</span>

export function OrderTable({ query, name = orderName, newest = null, action }: OrderTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Order>[] = [
    { key: 'order', title: t('recharge.order'), isMain: true, cell: name },
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
          <OrderState order={order} />
          {action?.(order)}
        </span>
      ),
    },
    {
      key: 'pays',
      title: t('recharge.pays'),
      isNumber: true,
      narrow: 'inline',
      cell: (order) => <PaidText {...order} orderFen={order.amountFen} />,
    },
    {
      key: 'gets',
      title: t('recharge.gets'),
      isNumber: true,
      cell: ({ creditAmount }) => format.number(creditAmount),
    },
  ]
  return (
    <PagedTable query={query} empty={<Empty title={t('recharge.noOrders')} />}>
      {(rows) => (
        <DataTable
          caption={t('recharge.orders')}
          columns={columns}
          rows={rows.map((order) => (order.orderId === newest?.orderId ? newest : order))}
          rowKey={({ orderId }) => orderId}
        />
      )}
    </PagedTable>
  )
}
