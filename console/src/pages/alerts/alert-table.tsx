import { useTranslation } from 'react-i18next'
import type { AlertSettings, EventType } from '../../api/types.ts'
import { Checkbox } from '../../design/field.tsx'
import hidden from '../../design/visually-hidden.module.css'
import { eventGroups, groupNames } from '../events/event-groups.ts'
import styles from './alerts.module.css'

const channels = ['email', 'sms'] as const
type Channel = (typeof channels)[number]

interface AlertTableProps {
  readonly settings: AlertSettings
  readonly onChange: (settings: AlertSettings) => void
}

/** A check box for every event and channel. */
export function AlertTable({ settings, onChange }: AlertTableProps) {
  const { t } = useTranslation()
  return (
    <table className={styles.table}>
      <caption className={hidden.text}>{t('alerts.table')}</caption>
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
              {t(`events.groups.${group}`)}
            </th>
          </tr>
          {eventGroups[group].map((type) => (
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
