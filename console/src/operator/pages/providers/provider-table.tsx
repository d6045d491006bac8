import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import type { Tone } from '../../../design/notice.tsx'
import { Mark } from '../../../design/state-mark.tsx'
import { useFormat } from '../../../format/format.ts'
import { useMay } from '../../api/session.ts'
import type { Provider } from '../../api/types.ts'
import { ProviderAction } from './provider-action.tsx'
import styles from './providers.module.css'

const stateTones: Record<Provider['state'], Tone> = { in_service: 'good', out_of_service: 'bad', disabled: 'plain' }
const breakerTones: Record<NonNullable<Provider['breaker']>, Tone> = { closed: 'good', half_open: 'wait', open: 'bad' }
const outcomes = ['confirmed', 'refused', 'unavailable', 'uncertain'] as const

interface ProviderTableProps {
  readonly caption: string
  readonly providers: readonly Provider[]
  readonly hasActions?: boolean
}

export function ProviderTable({ caption, providers, hasActions }: ProviderTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const maySwitch = useMay('providers')
  const columns: Column<Provider>[] = [
    {
      key: 'name',
      title: t('operator.providers.name'),
      isMain: true,
      cell: ({ name, adapter }) => (
        <span className={styles.pair}>
          <code>{name}</code>
          <span>{adapter}</span>
        </span>
      ),
    },
    {
      key: 'state',
      title: t('operator.providers.state'),
      narrow: 'untitled',
      cell: ({ state, changedBy, changedAt }) => (
        <span className={styles.pair}>
          <Mark tone={stateTones[state]}>{t(`operator.providers.states.${state}`)}</Mark>
          {changedBy && changedAt && (
            <span>{t('operator.providers.changed', { name: changedBy, ago: format.ago(changedAt, Date.now()) })}</span>
          )}
        </span>
      ),
    },
    {
      key: 'breaker',
      title: t('operator.providers.breaker'),
      cell: ({ breaker }) =>
        breaker ? (
          <Mark tone={breakerTones[breaker]}>{t(`operator.providers.breakers.${breaker}`)}</Mark>
        ) : (
          t('operator.providers.noBreaker')
        ),
    },
    {
      key: 'underWay',
      title: t('operator.providers.underWay'),
      isNumber: true,
      cell: ({ underWay, maxConcurrent }) =>
        maxConcurrent === null
          ? format.number(underWay)
          : t('operator.providers.ofMost', { count: underWay, most: format.number(maxConcurrent) }),
    },
    {
      key: 'outcomes',
      title: t('operator.providers.outcomes', { minutes: providers[0]?.outcomes.minutes ?? 0 }),
      isText: true,
      cell: ({ outcomes: counted }) => <Outcomes counted={counted} />,
    },
    ...(hasActions && maySwitch
      ? [
          {
            key: 'action',
            title: t('operator.providers.action'),
            isNumber: true,
            narrow: 'untitled' as const,
            cell: (provider: Provider) => <ProviderAction provider={provider} />,
          },
        ]
      : []),
  ]
  return (
    <DataTable caption={caption} columns={columns} rows={providers} rowKey={({ kind, name }) => `${kind} ${name}`} />
  )
}

function Outcomes({ counted }: { counted: Provider['outcomes'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const shown = outcomes.filter((outcome) => counted[outcome] > 0)
  if (shown.length === 0) return <span className={styles.dim}>{t('operator.providers.noOutcomes')}</span>
  return (
    <span className={styles.pair}>
      {shown.map((outcome) => `${format.number(counted[outcome])} ${t(`operator.providers.${outcome}`)}`).join(' · ')}
      {counted.codes.length > 0 && (
        <span>{counted.codes.map(({ code, calls }) => `${code} ${format.number(calls)}`).join(' · ')}</span>
      )}
    </span>
  )
}
