import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Key } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { KeyMark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './key-table.module.css'

export function KeyTable({ keys, onRevoke }: { keys: readonly Key[]; onRevoke: (key: Key) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Key>[] = [
    {
      key: 'key',
      title: t('keys.key'),
      isMain: true,
      cell: ({ displayPrefix, scopes }) => (
        <span>
          <code>{displayPrefix}</code>
          <span className={styles.scopes}>{scopes.join(' · ')}</span>
        </span>
      ),
    },
    {
      key: 'created',
      title: t('keys.created'),
      cell: ({ createdAt }) => format.dateTime(createdAt),
    },
    {
      key: 'used',
      title: t('keys.lastUsed'),
      cell: ({ lastUsedAt }) => (lastUsedAt ? format.dateTime(lastUsedAt) : t('keys.neverUsed')),
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
      title: t('keys.state'),
      narrow: 'untitled',
      cell: (key) => (
        <span className={styles.state}>
          <span>
            <KeyMark state={key.state} />
            {key.revokedAt && (
              <span className={styles.note}>{t('keys.revokedAt', { time: format.dateTime(key.revokedAt) })}</span>
            )}
            {key.expiresAt && !key.revokedAt && (
              <span className={styles.note}>{t('keys.expires', { time: format.dateTime(key.expiresAt) })}</span>
            )}
          </span>
          {key.state === 'active' && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onRevoke(key)}
              aria-label={t('keys.revokeLabel', { prefix: key.displayPrefix })}
            >
              {t('keys.revoke')}
            </Button>
          )}
        </span>
      ),
    },
  ]
  return <DataTable caption={t('keys.title')} columns={columns} rows={keys} rowKey={({ keyId }) => keyId} />
}
