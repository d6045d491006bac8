import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { alertsPerDay } from '../../../../src/contract/choices.ts'
import { eventGroups } from '../../../../src/contract/event-row.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { alertsQuery, overviewQuery, queryClient } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import type { AlertSettings, EventType } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { useLeaveWarning } from '../../design/dialog.tsx'
import { Checkbox } from '../../design/field.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { LoadingRows, News, Notice, Problem } from '../../design/notice.tsx'
import { PageHead, Sheet, stack } from '../../design/page.tsx'
import { useFormat } from '../../format/format.ts'
import { addWords } from '../../i18n/i18n.ts'
import { typesIn } from '../events/event-text.tsx'
import * as eventsWords from '../events/words.ts'
import styles from './alerts.module.css'
import { lastingOf, stepsWith } from './threshold.ts'
import * as words from './words.ts'

addWords(words, eventsWords)

export function Alerts() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(alertsQuery)
  return (
    <div>
      <PageHead title={t('alerts.title')} lead={t('alerts.lead')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Sheet>
          <LoadingRows rows={12} />
        </Sheet>
      )}
      {data && <Settings saved={data} />}
    </div>
  )
}

/** Changes that are not saved yet. In the cache, so that they survive a look at another page, and end with the session. */
const draftQuery = queryOptions<AlertSettings | null>({
  queryKey: ['alerts-draft'],
  queryFn: skipToken,
  initialData: null,
  gcTime: Number.POSITIVE_INFINITY,
})

const setChanged = (draft: AlertSettings | null) => queryClient.setQueryData(draftQuery.queryKey, draft)

/** Changes apply only when saved. */
function Settings({ saved }: { saved: AlertSettings }) {
  const { t } = useTranslation()
  const { data: changed } = useQuery(draftQuery)
  useLeaveWarning(changed !== null)
  const [saves, setSaves] = useState(0)
  const settings = changed ?? saved
  const saving = useMutation({
    mutationFn: (body: AlertSettings) => askToWrite(() => gateway.POST('/console/alerts', { body })),
    onSuccess(now) {
      queryClient.setQueryData(alertsQuery.queryKey, now)
      setChanged(null)
      setSaves((before) => before + 1)
    },
  })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(settings)
      }}
    >
      {saves > 0 && !changed && <News key={saves}>{t('alerts.saved')}</News>}
      <LowBalance
        saved={saved.lowBalanceCredits}
        credits={settings.lowBalanceCredits}
        onChange={(lowBalanceCredits) => setChanged({ ...settings, lowBalanceCredits })}
      />
      <Sheet title={t('alerts.whatTitle')}>
        <div className={stack}>
          <Unverified />
          <AlertTable settings={settings} onChange={setChanged} />
          <p className={styles.note}>{t('alerts.limits', alertsPerDay)}</p>
        </div>
      </Sheet>
      {changed && <p className={styles.note}>{t('alerts.unsaved')}</p>}
      {saving.error && <Problem error={saving.error} />}
      <div>
        <Button type="submit" loading={saving.isPending} disabled={changed === null}>
          {t('alerts.save')}
        </Button>{' '}
        {changed && (
          <Button variant="default" onClick={() => setChanged(null)}>
            {t('alerts.discard')}
          </Button>
        )}
      </div>
    </form>
  )
}

function Unverified() {
  const { t } = useTranslation()
  const { recoveryEmailState } = useMe().account
  return (
    recoveryEmailState !== 'verified' && (
      <Notice tone="wait" actions={<Link href="/account">{t('alerts.verify')}</Link>}>
        {t('alerts.unverified')}
      </Notice>
    )
  )
}

const channels = ['email', 'sms'] as const
type Channel = (typeof channels)[number]

interface AlertTableProps {
  readonly settings: AlertSettings
  readonly onChange: (settings: AlertSettings) => void
}

function AlertTable({ settings, onChange }: AlertTableProps) {
  const { t } = useTranslation()
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('alerts.table')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('alerts.event')}</th>
          {channels.map((channel) => (
            <th key={channel} scope="col">
              {t(`alerts.${channel}`)}
            </th>
          ))}
        </tr>
      </thead>
      {eventGroups.map((group) => (
        <tbody key={group}>
          <tr>
            <th scope="rowgroup" colSpan={3}>
              {t(`events.groups.${group}`)}
            </th>
          </tr>
          {typesIn(group).map((type) => (
            <Row key={type} type={type} settings={settings} onChange={onChange} />
          ))}
        </tbody>
      ))}
    </table>
  )
}

function Row({ type, settings, onChange }: AlertTableProps & { type: EventType }) {
  const { t } = useTranslation()
  const name = t(`events.types.${type}`)
  // Fixed, so that an intruder cannot switch off the owner's alerts.
  const isFixed = type === 'account.password_changed' || type === 'account.second_factor_changed'
  const note = isFixed ? t('alerts.always') : type === 'account.signed_in' ? t('alerts.newAddress') : null
  const change = (channel: Channel, isChosen: boolean) =>
    onChange({
      ...settings,
      [channel]: isChosen ? [...settings[channel], type] : settings[channel].filter((chosen) => chosen !== type),
    })
  return (
    <tr>
      <th scope="row">
        {name}
        {note && <span className={styles.note}>{note}</span>}
      </th>
      {channels.map((channel) => (
        <td key={channel}>
          <Checkbox
            aria-label={`${name}: ${t(`alerts.${channel}`)}`}
            checked={isFixed || settings[channel].includes(type)}
            disabled={isFixed}
            onChange={(event) => change(channel, event.currentTarget.checked)}
          />
        </td>
      ))}
    </tr>
  )
}

interface LowBalanceProps {
  /** The saved threshold, which stays a step of the slider. */
  readonly saved: number | null
  readonly credits: number | null
  readonly onChange: (credits: number | null) => void
}

function LowBalance({ saved, credits, onChange }: LowBalanceProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const id = useId()
  const steps = stepsWith(saved)
  const said = credits === null ? t('alerts.never') : t('alerts.below', { credits: creditsText(credits) })
  return (
    <Sheet title={t('alerts.lowTitle')}>
      <div className={styles.threshold}>
        <label htmlFor={id}>{t('alerts.threshold')}</label>
        <input
          id={id}
          type="range"
          min={0}
          max={steps.length - 1}
          step={1}
          value={steps.indexOf(credits ?? 0)}
          aria-valuetext={said}
          onChange={(event) => onChange(steps[Number(event.currentTarget.value)] || null)}
        />
        <output htmlFor={id} className={styles.said}>
          {said} {credits !== null && <span className={styles.worth}>{format.yuanOfCredits(credits)}</span>}
        </output>
        <p className={styles.note}>{credits === null ? t('alerts.neverHint') : <Meaning credits={credits} />}</p>
      </div>
    </Sheet>
  )
}

function Meaning({ credits }: { credits: number }) {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const { data } = useQuery(overviewQuery)
  if (!data) return null
  const lasting = lastingOf(credits, data.spentPerDay)
  const time =
    lasting &&
    ('count' in lasting ? t(`alerts.${lasting.unit}`, { count: lasting.count }) : t(`alerts.${lasting.unit}`))
  return (
    <>
      {time ? t('alerts.lasts', { credits: creditsText(credits), time }) : t('alerts.noRate')}
      {data.credits.available < credits && ` ${t('alerts.isLow')}`}
    </>
  )
}
