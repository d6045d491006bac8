import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { scopes as allScopes } from '../../../../src/contract/prices.ts'
import type { Key } from '../../api/types.ts'
import { ActionMenu } from '../../design/action-menu.tsx'
import { RowButton } from '../../design/button.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { Bar, KeyMark } from '../../design/figures.tsx'
import { useSecondsUntil } from '../../design/notice.tsx'
import { dayAt } from '../../format/calendar.ts'
import { useFormat } from '../../format/format.ts'
import styles from './keys.module.css'

export interface KeyActions {
  readonly onRevoke: (key: Key) => void
  readonly onRotate: (key: Key) => void
  readonly onEdit: (key: Key) => void
}

interface KeyTableProps extends KeyActions {
  readonly keys: readonly Key[]
  /** Keys that were replaced by rotation. */
  readonly rotatedIds: ReadonlySet<string>
}

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
        <span className={styles.keyCell}>
          {name && <bdi className={styles.name}>{name}</bdi>}
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
        <Link href={`/usage?keyId=${keyId}`} aria-label={`${t('keys.callsOfKey')}: ${format.number(calls)}`}>
          {format.number(calls)}
        </Link>
      ),
    },
    {
      key: 'state',
      title: t(isActive ? 'keys.action' : 'keys.state'),
      isNumber: true,
      narrow: isActive ? 'inline' : 'untitled',
      cell: (key) => <KeyState shown={key} isRotated={rotatedIds.has(key.keyId)} {...actions} />,
    },
  ]
  return <DataTable caption={t('keys.title')} columns={columns} rows={keys} rowKey={({ keyId }) => keyId} />
}

/** Short enough for a column; the title shows the full time. */
function Ago({ time, from }: { time: string; from: string | null }) {
  const format = useFormat()
  return (
    <time dateTime={time} title={[format.dateTime(time), from].filter(Boolean).join(' · ')}>
      {format.ago(time, Date.now())}
    </time>
  )
}

/** Active keys show no state, because the list is of active keys. */
function KeyState({ shown, isRotated, onRevoke, onRotate, onEdit }: { shown: Key; isRotated: boolean } & KeyActions) {
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
  const revoke = { name: t('keys.revoke'), onChoose: () => onRevoke(shown), isDestructive: true }
  return (
    <span className={styles.actions}>
      <RowButton onClick={() => onEdit(shown)} aria-label={t('keys.editLabel', label)}>
        {t('keys.edit')}
      </RowButton>
      <ActionMenu label={t('keys.moreLabel', label)} actions={isRotated ? [revoke] : [rotate, revoke]} />
    </span>
  )
}

function BudgetBar({ shown }: { shown: Key }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { budget, budgetSpent, budgetResetsAt } = shown
  if (!budget || budgetSpent === null) return <span className={styles.none}>{t('keys.noBudget')}</span>
  const share = Math.min(100, (100 * budgetSpent) / budget.credits)
  const numbers = { spent: format.number(budgetSpent), credits: format.number(budget.credits) }
  const text = t(`keys.spent.${budget.per}`, numbers)
  return (
    <span
      className={styles.budget}
      title={budgetResetsAt ? t('keys.resets', { time: format.dateTime(budgetResetsAt) }) : undefined}
    >
      <Bar percent={share} tone={share >= 100 ? 'bad' : share >= 80 ? 'wait' : 'good'} label={text} />
      <span className={styles.budgetText}>{text}</span>
    </span>
  )
}

function Expiry({ shown: { state, expiresAt }, isRotated }: { shown: Key; isRotated: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (state !== 'active' || !expiresAt) return null
  return (
    <span className={styles.expiry} title={format.dateTime(expiresAt)}>
      {isRotated ? <GraceLeft until={expiresAt} /> : t('keys.expires', { time: dayAt(Date.parse(expiresAt)) })}
    </span>
  )
}

/** The time left of a rotated key's grace period. */
function GraceLeft({ until }: { until: string }) {
  const { t } = useTranslation()
  const seconds = useSecondsUntil(Date.parse(until))
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
  const days = Math.floor(seconds / 86_400)
  return (
    <span role="timer">
      {t('keys.graceLeft', { left: days > 0 ? t('keys.daysAnd', { count: days, clock }) : clock })}
    </span>
  )
}

/** The keys that replaced each other, oldest first; they share one budget. */
export function KeyChain({ of, keys }: { of: Key; keys: readonly Key[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const chain = chainOf(of, keys)
  if (chain.length < 2) return null
  return (
    <section>
      <h3 className={styles.title}>{t('keys.chain')}</h3>
      <p className={styles.chainHint}>{t('keys.chainHint')}</p>
      <ol className={styles.chain}>
        {chain.map(({ keyId, displayPrefix, createdAt, state }) => (
          <li key={keyId} aria-current={keyId === of.keyId || undefined}>
            <code>{displayPrefix}</code> <KeyMark state={state} />{' '}
            <span className={styles.chainHint}>{format.dateTime(createdAt)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function chainOf(of: Key, keys: readonly Key[]): Key[] {
  const byId = new Map(keys.map((key) => [key.keyId, key]))
  const firstOf = (key: Key): Key => {
    const before = key.rotatedFromKeyId === null ? undefined : byId.get(key.rotatedFromKeyId)
    return before ? firstOf(before) : key
  }
  const first = firstOf(of)
  return keys.filter((key) => firstOf(key) === first).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
}

/** The first two permissions of a key and the number of others. */
function ScopeChips({ scopes }: { scopes: Key['scopes'] }) {
  const { t } = useTranslation()
  if (scopes.length === allScopes.length) {
    return (
      <span className={styles.chips}>
        <span className={styles.chip} data-all>
          {t('keys.allScopes')}
        </span>
      </span>
    )
  }
  const [first, second, ...rest] = scopes
  return (
    <span className={styles.chips} title={scopes.join(', ')}>
      <code className={styles.chip}>{first}</code>
      {second && (
        <span className={styles.line}>
          <code className={styles.chip}>{second}</code>
          {rest.length > 0 && (
            <span className={styles.chip}>
              <span aria-hidden="true">+{rest.length}</span>
              <span className="visually-hidden">{rest.join(', ')}</span>
            </span>
          )}
        </span>
      )}
    </span>
  )
}
