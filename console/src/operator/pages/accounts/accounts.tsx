import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Button } from '../../../design/button.tsx'
import { Segments } from '../../../design/choices.tsx'
import { type Column, DataTable, PagedTable } from '../../../design/data-table.tsx'
import { TextInput } from '../../../design/field.tsx'
import { Mark } from '../../../design/figures.tsx'
import { Empty } from '../../../design/notice.tsx'
import { PageHead, Sheet } from '../../../design/page.tsx'
import { useFormat } from '../../../format/format.ts'
import { accountsQuery, findQuery } from '../../api/queries.ts'
import type { FindAccounts, FoundAccount, ListedAccount } from '../../api/types.ts'
import { useAddressFilter } from '../../parts/address-filter.ts'
import { Loaded, shortId } from '../../parts/parts.tsx'
import styles from './accounts.module.css'
import { searchOf } from './search-of.ts'

/** The last search, so that returning from an account shows its results. In memory only, because it is personal. */
let lastSearch: FindAccounts | null = null

export function Accounts() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [search, setSearch] = useState(lastSearch)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const next = searchOf(text)
    setWrong(next === null)
    if (next === null) return event.currentTarget.querySelector('input')?.focus()
    lastSearch = next
    setSearch(next)
  }
  return (
    <div>
      <PageHead title={t('operator.accounts.title')} lead={t('operator.accounts.lead')} />
      <Sheet>
        <search>
          <form onSubmit={submit} noValidate className={styles.search}>
            <TextInput
              label={t('operator.accounts.search')}
              description={t('operator.accounts.searchHint')}
              name="search"
              autoComplete="off"
              value={text}
              onChange={(event) => {
                setText(event.currentTarget.value)
                setWrong(false)
              }}
              error={isWrong && t('operator.accounts.searchWrong')}
            />
            <Button type="submit">{t('operator.accounts.find')}</Button>
          </form>
        </search>
      </Sheet>
      {search && (
        <Sheet title={t('operator.accounts.found')}>
          <Loaded query={findQuery(search)} rows={2}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title={t('operator.accounts.none')} hint={t('operator.accounts.noneHint')} />
              ) : (
                <FoundTable found={items} />
              )
            }
          </Loaded>
        </Sheet>
      )}
      <AllAccounts />
    </div>
  )
}

const orders = ['newest', 'spending', 'suspended'] as const

/** Every account, in one of three orders. */
function AllAccounts() {
  const { t } = useTranslation()
  const format = useFormat()
  const [order, setOrder] = useAddressFilter('order', orders, 'newest')
  const columns: Column<ListedAccount>[] = [
    {
      key: 'phone',
      title: t('operator.accounts.phone'),
      isMain: true,
      cell: ({ accountId, phoneMasked }) => <Link href={`/accounts/${accountId}`}>{phoneMasked}</Link>,
    },
    {
      key: 'state',
      title: t('operator.accounts.state'),
      narrow: 'untitled',
      cell: ({ state }) => <AccountMark state={state} />,
    },
    {
      key: 'account',
      title: t('operator.accounts.account'),
      cell: ({ accountId }) => <code>{shortId(accountId)}</code>,
    },
    order === 'suspended'
      ? {
          key: 'since',
          title: t('operator.accounts.since'),
          cell: ({ suspendedAt }) => suspendedAt && format.dateTime(suspendedAt),
        }
      : {
          key: 'created',
          title: t('operator.accounts.created'),
          cell: ({ createdAt }) => format.dateTime(createdAt),
        },
    {
      key: 'available',
      title: t('operator.accounts.available'),
      isNumber: true,
      cell: ({ available }) => format.number(available),
    },
    {
      key: 'settled',
      title: t('operator.accounts.settled'),
      isNumber: true,
      cell: ({ settled }) => format.number(settled),
    },
  ]
  return (
    <Sheet
      title={t('operator.accounts.all')}
      actions={
        <Segments
          aria-label={t('operator.accounts.order')}
          value={order}
          onChange={setOrder}
          data={orders.map((value) => ({ value, label: t(`operator.accounts.orders.${value}`) }))}
        />
      }
    >
      <PagedTable
        key={order}
        query={accountsQuery(order)}
        caption={t('operator.accounts.all')}
        columns={columns}
        rowKey={({ accountId }) => accountId}
        empty={<Empty title={t(`operator.accounts.empty.${order}`)} />}
      />
    </Sheet>
  )
}

function FoundTable({ found }: { found: readonly FoundAccount[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<FoundAccount>[] = [
    {
      key: 'phone',
      title: t('operator.accounts.phone'),
      isMain: true,
      cell: ({ accountId, phoneMasked }) => <Link href={`/accounts/${accountId}`}>{phoneMasked}</Link>,
    },
    { key: 'email', title: t('operator.accounts.email'), cell: ({ recoveryEmailMasked }) => recoveryEmailMasked },
    {
      key: 'state',
      title: t('operator.accounts.state'),
      narrow: 'untitled',
      cell: ({ state }) => <AccountMark state={state} />,
    },
    {
      key: 'account',
      title: t('operator.accounts.account'),
      cell: ({ accountId }) => <code>{shortId(accountId)}</code>,
    },
    {
      key: 'project',
      title: t('operator.accounts.project'),
      cell: ({ projectId }) => <code>{shortId(projectId)}</code>,
    },
    { key: 'created', title: t('operator.accounts.created'), cell: ({ createdAt }) => format.dateTime(createdAt) },
  ]
  return (
    <DataTable
      caption={t('operator.accounts.found')}
      columns={columns}
      rows={found}
      rowKey={({ accountId }) => accountId}
    />
  )
}

export function AccountMark({ state }: Pick<FoundAccount, 'state'>) {
  const { t } = useTranslation()
  return <Mark tone={state === 'active' ? 'good' : 'bad'}>{t(`operator.accounts.states.${state}`)}</Mark>
}
