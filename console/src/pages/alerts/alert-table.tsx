import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AlertSettings, EventType } from '../../api/types.ts'
import styles from './alerts.module.css'

const channels = ['email', 'sms'] as const
type Channel = (typeof channels)[number]

const groups = {
  money: ['credits.low', 'credits.empty', 'order.credited', 'credits.granted', 'credits.withdrawn'],
  reviews: ['charge.review_opened', 'charge.review_decided', 'media.job_finished'],
  keys: ['key.created', 'key.rotated', 'key.revoked', 'key.expiring', 'key.budget_reached'],
  account: ['account.signed_in', 'account.password_changed'],
} as const satisfies Record<string, readonly EventType[]>
type Grouped = (typeof groups)[keyof typeof groups][number]
const groupNames = Object.keys(groups) as (keyof typeof groups)[]

interface AlertTableProps {
  readonly settings: AlertSettings
  readonly onChange: (settings: AlertSettings) => void
}

/** A check box for every event and channel. */
export function AlertTable({ settings, onChange }: AlertTableProps) {
  const { t } = useTranslation()
  return (
    <table className={styles.table}>
      <caption>{t('alerts.table')}</caption>
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
      {groupNames.map((group) => (
        <tbody key={group}>
          <tr>
            <th scope="rowgroup" colSpan={3}>
              {t(`alerts.groups.${group}`)}
            </th>
          </tr>
          {groups[group].map((type: AllOf<Grouped>) => (
            <Row key={type} type={type} settings={settings} onChange={onChange} />
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** Fails to compile if a type of event is in no group. */
type AllOf<T extends EventType> = EventType extends T ? T : never

function Row({ type, settings, onChange }: AlertTableProps & { type: EventType }) {
  const { t } = useTranslation()
  const name = t(`events.types.${type}`)
  // Nobody who gets into an account can keep its owner from learning of it.
  const isFixed = type === 'account.password_changed'
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
