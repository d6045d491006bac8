import { type MouseEvent, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Charge } from '../../api/types.ts'
import { CopyId } from '../../design/copy.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { ChargeMark, Time } from '../../design/figures.tsx'
import table from '../../design/tables.module.css'
import { keyText, useFormat, useReason } from '../../format/format.ts'
import styles from './log.module.css'
import type { LogPreferences, OptionalColumn } from './log-preferences.ts'
import { useColumnName } from './look-menu.tsx'

interface LogTableProps {
  readonly charges: readonly Charge[]
  readonly look: LogPreferences
  readonly onOpen: (chargeId: string) => void
}

export function LogTable({ charges, look, onOpen }: LogTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const reasonText = useReason()
  const nameOf = useColumnName()
  const optional: Record<OptionalColumn, Omit<Column<Charge>, 'key' | 'title'>> = {
    model: {
      narrow: 'untitled',
      cell: ({ model }) => model && <CopyId id={model} of={t('log.model')} isCut />,
    },
    latency: {
      isNumber: true,
      narrow: 'untitled',
      cell: ({ latencyMs }) => latencyMs !== null && format.duration(latencyMs),
    },
    tokens: { isNumber: true, narrow: 'untitled', cell: ({ usage }) => <Tokens usage={usage} /> },
    error: {
      narrow: 'untitled',
      cell: ({ reason }) =>
        reason && <CopyId id={reason.code} of={t('log.error')} hint={`${reason.code}: ${reasonText(reason)}`} isCut />,
    },
    key: {
      narrow: 'untitled',
      cell: ({ keyName, keyDisplayPrefix }) => (
        <span className={styles.key} title={keyText({ name: keyName, displayPrefix: keyDisplayPrefix })}>
          {keyName ? <bdi>{keyName}</bdi> : <code>{keyDisplayPrefix}</code>}
        </span>
      ),
    },
    charge: { narrow: 'omitted', cell: ({ chargeId }) => <CopyId id={chargeId} of={t('usage.charge')} isShort /> },
  }
  const columns: Column<Charge>[] = [
    { key: 'time', title: t('usage.time'), narrow: 'untitled', cell: ({ reservedAt }) => <Time at={reservedAt} /> },
    {
      key: 'operation',
      title: t('usage.operation'),
      isMain: true,
      cell: ({ operation, chargeId }) => (
        <Link
          href={`/usage/${chargeId}`}
          className={table.operation}
          title={operation}
          // The link leads to a page of its own in a new tab; a plain click opens the call in the drawer.
          onClick={(event: MouseEvent) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
            event.preventDefault()
            onOpen(chargeId)
          }}
        >
          {t(`operations.${operation}`)}
        </Link>
      ),
    },
    { key: 'state', title: t('usage.state'), narrow: 'untitled', cell: ({ state }) => <ChargeMark state={state} /> },
    ...look.columns.map((key) => ({ key, title: nameOf(key), ...optional[key] })),
    {
      key: 'credits',
      title: t('usage.credits'),
      isNumber: true,
      narrow: 'inline',
      cell: ({ credits, state }) => (
        <span className={table.credits} data-released={state === 'released' || undefined}>
          {format.number(credits)}
        </span>
      ),
    },
  ]
  return <DataTable caption={t('usage.table')} columns={columns} rows={charges} rowKey={({ chargeId }) => chargeId} />
}

function Tokens({ usage }: { usage: Charge['usage'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const text = useMemo(() => {
    const { inputUnits, outputUnits } = usage ?? {}
    if (inputUnits === undefined || outputUnits === undefined) return null
    return `${format.number(inputUnits)} → ${format.number(outputUnits)}`
  }, [usage, format])
  return (
    text && (
      <span title={t('log.tokensHint')} className={styles.tokens}>
        {text}
      </span>
    )
  )
}
