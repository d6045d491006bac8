import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Redirect } from 'wouter'
import type { InboxMessage } from '../../../../../src/features/operators/inbox/contract.ts'
import { isRefused } from '../../../api/ask.ts'
import { Copy } from '../../../design/copy.tsx'
import { Time } from '../../../design/figures.tsx'
import { Entrance } from '../../../design/frame.tsx'
import { Empty, LoadingRows, Problem } from '../../../design/notice.tsx'
import { signInPath } from '../../../format/return-path.ts'
import { inboxQuery } from '../../api/queries.ts'
import styles from './inbox.module.css'

/** The messages that a local gateway did not send. New ones appear automatically. */
export function Inbox() {
  const { t } = useTranslation()
  const { data, error, isFetching, refetch } = useQuery(inboxQuery)
  if (isRefused(error, 'GATEWAY_AUTH_REQUIRED') && !isFetching)
    return <Redirect to={signInPath('/inbox', '', 'none')} replace />
  const latest = data?.[0]
  return (
    <Entrance title={t('operator.inbox.title')} lead={t('operator.inbox.lead')}>
      {!data && (error ? <Problem error={error} onRetry={refetch} /> : <LoadingRows />)}
      {data?.length === 0 && <Empty title={t('operator.inbox.none')} />}
      <ol className={styles.messages} reversed>
        {data?.map((message) => (
          <Message key={`${message.sentAt} ${message.to} ${message.code}`} {...message} />
        ))}
      </ol>
      <p role="status" className="visually-hidden">
        {/* Makes screen readers say a code digit by digit. */}
        {latest && `${latest.to}: ${latest.code === null ? latest.text : [...latest.code].join(' ')}`}
      </p>
    </Entrance>
  )
}

function Message({ sentAt, channel, to, code, text }: InboxMessage) {
  const { t } = useTranslation()
  return (
    <li>
      <p className={styles.head}>
        <span>
          {t(`operator.inbox.channels.${channel}`)} · <span className={styles.to}>{to}</span>
        </span>
        <Time at={sentAt} />
      </p>
      {code !== null && (
        <p className={styles.code}>
          <b>{code}</b>
          <Copy text={code} of={`${t('operator.inbox.code')} ${code}`} />
        </p>
      )}
      {text !== '' && <p className={styles.text}>{text}</p>}
    </li>
  )
}
