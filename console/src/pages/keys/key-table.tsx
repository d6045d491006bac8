import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Key } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { KeyMark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './key-table.module.css'
import { ScopeChips } from './scope-chips.tsx'

/** One line a key. */
export function KeyTable({ keys, onRevoke }: { keys: readonly Key[]; onRevoke: (key: Key) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Key>[] = [
    { key: 'key', title: t('keys.key'), isMain: true, cell: ({ displayPrefix }) => <code>{displayPrefix}</code> },
    {
      key: 'scopes',
      title: t('keys.scope'),
      narrow: 'untitled',
      cell: ({ scopes }) => <ScopeChips scopes={scopes} />,
    },
    {
      key: 'created',
      title: t('keys.created'),
      narrow: 'omitted',
      cell: ({ createdAt }) => <Ago time={createdAt} />,
    },
    {
      key: 'used',
      title: t('keys.lastUsed'),
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <Ago time={lastUsedAt} /> : <span className={styles.never}>{t('keys.neverUsed')}</span>,
    },
    {
      key: 'calls',
      title: t('keys.calls'),
      isNumber: true,
      cell: ({ calls, keyId }) => (
        <Link href={`/usage?keyId=${keyId}`} aria-label={`${t('keys.callsOfKey')}: ${calls}`}>
          {format.number(calls)}
        </Link>
      ),
    },
    {
      key: 'state',
      title: t(keys[0]?.state === 'active' ? 'keys.action' : 'keys.state'),
      isNumber: true,
      // A button fits beside the name of its key; a date does not.
      narrow: keys.every(({ state, expiresAt }) => state === 'active' && !expiresAt) ? 'beside' : 'untitled',
      cell: (key) => <Standing shown={key} onRevoke={onRevoke} />,
    },
  ]
  return <DataTable caption={t('keys.title')} columns={columns} rows={keys} rowKey={({ keyId }) => keyId} />
}

/** Short enough for a column; the whole time shows on pointing at it. */
function Ago({ time }: { time: string }) {
  const format = useFormat()
  return (
    <time dateTime={time} title={format.dateTime(time)}>
      {format.ago(time, Date.now())}
    </time>
  )
}

/** An active key needs no word for it: the list says so. */
function Standing({ shown, onRevoke }: { shown: Key; onRevoke: (key: Key) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, revokedAt, expiresAt, displayPrefix } = shown
  if (state !== 'active') {
    return (
      <span className={styles.state}>
        <KeyMark state={state} />
        <span className={styles.note}>{format.dateTime((revokedAt ?? expiresAt)!)}</span>
      </span>
    )
  }
  return (
    <span className={styles.state}>
      {expiresAt && <span className={styles.note}>{t('keys.expires', { time: format.dateTime(expiresAt) })}</span>}
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => onRevoke(shown)}
        aria-label={t('keys.revokeLabel', { prefix: displayPrefix })}
      >
        {t('keys.revoke')}
      </Button>
    </span>
  )
}
