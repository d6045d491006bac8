import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Key } from '../../api/types.ts'
import { ActionMenu } from '../../design/action-menu.tsx'
import { RowButton } from '../../design/button.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { KeyMark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import { BudgetBar } from './budget-bar.tsx'
import { Expiry } from './expiry.tsx'
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
  const isActive = keys[0]?.state === 'active'
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
      key: 'limits',
      title: t('keys.limits'),
      cell: (key) => (
        <span className={styles.limits}>
          <BudgetBar shown={key} />
          <Expiry shown={key} isRotated={rotatedIds.has(key.keyId)} />
        </span>
      ),
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
      title: t(isActive ? 'keys.action' : 'keys.state'),
      isNumber: true,
      narrow: isActive ? 'beside' : 'untitled',
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
  const label = { name: name ?? displayPrefix }
  if (state !== 'active') {
    return (
      <span className={styles.state}>
        <KeyMark state={state} />
        <span className={styles.note}>{format.dateTime((revokedAt ?? expiresAt)!)}</span>
      </span>
    )
  }
  const rotate = { name: t('keys.rotate'), onChoose: () => onRotate(shown) }
  const revoke = { name: t('keys.revoke'), onChoose: () => onRevoke(shown), isGrave: true }
  return (
    <span className={styles.actions}>
      <RowButton onClick={() => onEdit(shown)} aria-label={t('keys.editLabel', label)}>
        {t('keys.edit')}
      </RowButton>
      <ActionMenu label={t('keys.moreLabel', label)} actions={isRotated ? [revoke] : [rotate, revoke]} />
    </span>
  )
}
