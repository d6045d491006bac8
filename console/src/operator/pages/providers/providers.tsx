import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Mark } from '../../../design/figures.tsx'
import { Empty, type Tone } from '../../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../../design/page.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { providerDayQuery, providersQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { Provider, ProviderDay } from '../../api/types.ts'
import { ActionButton } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/parts.tsx'
import styles from './providers.module.css'

export function Providers() {
  const { t } = useTranslation()
  return (
    <div className={wide}>
      <PageHead title={t('operator.providers.title')} lead={t('operator.providers.lead')} />
      {(['model', 'shop', 'media'] as const).map((kind) => (
        <Sheet key={kind} title={t(`operator.providers.${kind}`)}>
          <Loaded query={providersQuery}>
            {({ items }) => {
              const providers = items.filter((provider) => provider.kind === kind)
              return providers.length === 0 ? (
                <Empty title={t('operator.providers.none')} />
              ) : (
                <ProviderTable caption={t(`operator.providers.${kind}`)} providers={providers} hasActions />
              )
            }}
          </Loaded>
        </Sheet>
      ))}
    </div>
  )
}

/** The last 24 hours over all instances; null until they are read. */
function useDay(): (provider: Provider) => ProviderDay | null {
  const { data } = useQuery(providerDayQuery)
  return ({ kind, name }) => data?.items.find((day) => day.kind === kind && day.name === name) ?? null
}

function Day({ day }: { day: ProviderDay | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!day || day.calls === 0) return <span className={styles.dim}>{t('operator.providers.noOutcomes')}</span>
  const lost = day.failed + day.uncertain
  const share = `${((lost / day.calls) * 100).toFixed(1)}%`
  return (
    <span className={styles.pair}>
      {t('operator.providers.dayCalls', {
        calls: t('common.callsCount', { count: day.calls, amount: format.number(day.calls) }),
        share,
      })}
      <span>
        {[
          day.rejected > 0 && t('operator.providers.dayRejected', { amount: format.number(day.rejected) }),
          day.latency &&
            t('operator.providers.dayLatency', {
              p50: format.ms(day.latency.p50Ms),
              p95: format.ms(day.latency.p95Ms),
            }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  )
}

const stateTones: Record<Provider['state'], Tone> = { in_service: 'good', out_of_service: 'bad', disabled: 'plain' }
/** A provider whose calls fail is never green. */
const toneOf = ({ state, isFailing }: Provider): Tone => (isFailing ? 'bad' : stateTones[state])
const breakerTones: Record<NonNullable<Provider['breaker']>, Tone> = { closed: 'good', half_open: 'wait', open: 'bad' }
const breakerToneOf = (breaker: NonNullable<Provider['breaker']>, isFailing: boolean): Tone =>
  isFailing && breaker === 'closed' ? 'plain' : breakerTones[breaker]
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
  const dayOf = useDay()
  const breakerColumn: Column<Provider> = {
    key: 'breaker',
    title: t('operator.providers.breaker'),
    cell: ({ breaker, isFailing }) =>
      breaker ? (
        <Mark tone={breakerToneOf(breaker, isFailing)}>{t(`operator.providers.breakers.${breaker}`)}</Mark>
      ) : (
        t('operator.providers.noBreaker')
      ),
  }
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
      cell: (provider) => {
        const { state, isFailing, changedBy, changedAt, breaker } = provider
        return (
          <span className={styles.pair}>
            <Mark tone={toneOf(provider)}>{t(`operator.providers.states.${isFailing ? 'failing' : state}`)}</Mark>
            {hasActions && breaker && (
              <Mark tone={breakerToneOf(breaker, isFailing)}>
                {`${t('operator.providers.breaker')}${t('operator.providers.colon')}${t(`operator.providers.breakers.${breaker}`)}`}
              </Mark>
            )}
            {changedBy && changedAt && (
              <span>
                {t('operator.providers.changed', { name: changedBy, ago: format.ago(changedAt, Date.now()) })}
              </span>
            )}
          </span>
        )
      },
    },
    ...(hasActions ? [] : [breakerColumn]),
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
      cell: (provider) => (
        <div>
          <Outcomes counted={provider.outcomes} />
          {hasActions && (
            <div className={styles.day}>
              <strong>{t('operator.providers.day')}</strong>
              <Day day={dayOf(provider)} />
            </div>
          )}
        </div>
      ),
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

/** Takes a provider out of service or puts it back; one disabled in the configuration stays disabled. */
function ProviderAction({ provider: { kind, name, state } }: { provider: Provider }) {
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
