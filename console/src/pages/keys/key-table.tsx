import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Key } from '../../api/types.ts'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { KeyMark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import { BudgetBar } from './budget-bar.tsx'
import { GraceLeft } from './grace-left.tsx'
import styles from './key-table.module.css'
import { ScopeChips } from './scope-chips.tsx'

export interface KeyActions {
  readonly onRevoke: (key: Key) => void
  readonly onRotate: (key: Key) => void
  readonly onEdit: (key: Key) => void
}

interface KeyTableProps extends KeyActions {
  readonly keys: readonly Key[]
  /** Keys that another one has replaced. */
  readonly rotatedIds: ReadonlySet<string>
}

/** One line a key. */
export function KeyTable({ keys, rotatedIds, ...actions }: KeyTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Key>[] = [
    {
      key: 'key',
      title: t('keys.key'),
      isMain: true,
      cell: ({ name, displayPrefix }) => (
        <span className={styles.key}>
          {name && <span className={styles.name}>{name}</span>}
          <code>{displayPrefix}</code>
        </span>
      ),
    },
    {
      key: 'scopes',
      title: t('keys.scope'),
      narrow: 'untitled',
      cell: ({ scopes }) => <ScopeChips scopes={scopes} />,
    },
    {
      key: 'budget',
      title: t('keys.budget'),
      cell: (key) => <BudgetBar shown={key} />,
    },
    {
      key: 'used',
      title: t('keys.lastUsed'),
      cell: ({ lastUsedAt, lastUsedFrom }) =>
        lastUsedAt ? (
          <Ago time={lastUsedAt} from={lastUsedFrom} />
        ) : (
          <span className={styles.never}>{t('keys.neverUsed')}</span>
        ),
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
      narrow: 'untitled',
      cell: (key) => <Standing shown={key} isRotated={rotatedIds.has(key.keyId)} {...actions} />,
    },
  ]
  return <DataTable caption={t('keys.title')} columns={columns} rows={keys} rowKey={({ keyId }) => keyId} />
}

/** Short enough for a column; the whole time shows on pointing at it. */
function Ago({ time, from }: { time: string; from: string | null }) {
  const format = useFormat()
  return (
    <time dateTime={time} title={[format.dateTime(time), from].filter(Boolean).join(' · ')}>
      {format.ago(time, Date.now())}
    </time>
  )
}

/** An active key needs no word for it: the list says so. */
function Standing({ shown, isRotated, onRevoke, onRotate, onEdit }: { shown: Key; isRotated: boolean } & KeyActions) {
  const { t } = useTranslation()
  const format = useFormat()
  const { state, name, revokedAt, expiresAt, displayPrefix } = shown
  const label = name ?? displayPrefix
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
      {expiresAt && (
        <span className={styles.note}>
          {isRotated ? <GraceLeft until={expiresAt} /> : t('keys.expires', { time: format.dateTime(expiresAt) })}
        </span>
      )}
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => onEdit(shown)}
        aria-label={t('keys.editLabel', { name: label })}
      >
        {t('keys.edit')}
      </Button>
      {!isRotated && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => onRotate(shown)}
          aria-label={t('keys.rotateLabel', { name: label })}
        >
          {t('keys.rotate')}
        </Button>
      )}
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
