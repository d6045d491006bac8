import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import type { OperatorApiCode } from '../../../../../src/contract/error-codes/operators.ts'
import { Button } from '../../../design/button.tsx'
import { CopyId } from '../../../design/copy.tsx'
import { type Column, DataTable, PagedTable } from '../../../design/data-table.tsx'
import { Checkbox, Select } from '../../../design/field.tsx'
import { Time, useCreditsText } from '../../../design/figures.tsx'
import { Empty, Notice } from '../../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../../design/page.tsx'
import { useFormat, useReason, useSentence } from '../../../format/format.ts'
import { matching, present } from '../../../format/return-path.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { providersQuery, reviewsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { OpenReview } from '../../api/types.ts'
import { type DialogForm, FormDialog, useReasonField } from '../../parts/form-dialog.tsx'
import { ProjectLink, useNotify } from '../../parts/parts.tsx'
import styles from './reviews.module.css'

/** Calls with an uncertain outcome, settled or released individually or in bulk. */
export function OpenReviews() {
  const { t } = useTranslation()
  // Kept here, because the list may become empty.
  const [decided, setDecided] = useState<DecidedItems>([])
  const [params, setParams] = useSearchParams()
  const provider = matching(params, 'provider', /^.{1,128}$/) ?? ''
  const { data: providers } = useQuery(providersQuery)
  const names = providers?.items.filter(({ kind }) => kind !== 'shop').map(({ name }) => name) ?? []
  return (
    <div className={wide}>
      <PageHead title={t('operator.reviews.title')} lead={t('operator.reviews.lead')} />
      <ResultNotice items={decided} />
      <Sheet>
        <Select
          label={t('operator.reviews.provider')}
          className={styles.filter}
          value={provider}
          onChange={(event) => setParams(present({ provider: event.currentTarget.value }))}
          data={[
            { value: '', label: t('operator.reviews.allProviders') },
            ...new Set([...names, ...(provider ? [provider] : [])]),
          ]}
        />
        <PagedTable
          key={provider}
          query={reviewsQuery(provider || undefined)}
          empty={
            provider ? (
              <Empty title={t('operator.reviews.noneOf', { name: provider })} />
            ) : (
              <Empty title={t('operator.reviews.none')} hint={t('operator.reviews.noneHint')} />
            )
          }
        >
          {(reviews) => <Decidable reviews={reviews} onDecided={setDecided} />}
        </PagedTable>
      </Sheet>
    </div>
  )
}

interface DecidableProps {
  readonly reviews: readonly OpenReview[]
  readonly onDecided: (decided: DecidedItems) => void
}

function Decidable({ reviews, onDecided }: DecidableProps) {
  const mayDecide = useMay('reviews')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // Without those that another operator has decided since.
  const selected = reviews.filter(({ chargeId }) => chosen.has(chargeId))
  return (
    <>
      {mayDecide && (
        <DecideBar
          selected={selected}
          shown={reviews}
          onSelect={(chosenNow) => setChosen(new Set(chosenNow.map(({ chargeId }) => chargeId)))}
          onDone={(decided) => {
            setChosen(new Set())
            onDecided(decided)
          }}
        />
      )}
      <OpenReviewTable reviews={reviews} chosen={chosen} onChoose={mayDecide ? setChosen : null} />
    </>
  )
}

interface OpenReviewTableProps {
  readonly reviews: readonly OpenReview[]
  readonly chosen: ReadonlySet<string>
  /** Null if the operator may not decide. */
  readonly onChoose: ((chosen: ReadonlySet<string>) => void) | null
}

function OpenReviewTable({ reviews, chosen, onChoose }: OpenReviewTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const sayReason = useReason()
  const toggle = (chargeId: string) => {
    const next = new Set(chosen)
    if (!next.delete(chargeId)) next.add(chargeId)
    onChoose?.(next)
  }
  const select: Column<OpenReview> = {
    key: 'select',
    title: t('operator.reviews.select'),
    narrow: 'untitled',
    cell: ({ chargeId }) => (
      <Checkbox
        aria-label={t('operator.reviews.selectOne', { id: chargeId })}
        checked={chosen.has(chargeId)}
        onChange={() => toggle(chargeId)}
      />
    ),
  }
  const columns: Column<OpenReview>[] = [
    ...(onChoose ? [select] : []),
    {
      key: 'called',
      title: t('operator.reviews.called'),
      narrow: 'untitled',
      cell: ({ reservedAt }) => (
        <span className={styles.pair}>
          <Time at={reservedAt} />
          <span>{format.ago(reservedAt, Date.now())}</span>
        </span>
      ),
    },
    {
      key: 'operation',
      title: t('operator.reviews.operation'),
      isMain: true,
      cell: ({ chargeId, operation, provider }) => (
        <span className={styles.pair}>
          <Link href={`/charges/${chargeId}`}>{t(`operations.${operation}`)}</Link>
          {provider && <code>{provider}</code>}
        </span>
      ),
    },
    {
      key: 'reason',
      title: t('operator.reviews.reason'),
      isText: true,
      narrow: 'untitled',
      cell: ({ reason }) =>
        reason ? (
          <span className={styles.pair}>
            {sayReason(reason)}
            <code>{reason.code}</code>
          </span>
        ) : (
          t('operator.reviews.noReason')
        ),
    },
    {
      key: 'ids',
      title: t('operator.reviews.ids'),
      narrow: 'untitled',
      cell: ({ projectId, chargeId, requestId }) => (
        <span className={styles.ids}>
          <ProjectLink projectId={projectId} />
          <CopyId id={chargeId} of={t('operator.reviews.charge')} isShort />
          <CopyId id={requestId} of={t('operator.reviews.request')} isShort />
        </span>
      ),
    },
    {
      key: 'credits',
      title: t('operator.reviews.credits'),
      isNumber: true,
      narrow: 'inline',
      cell: ({ credits }) => <strong>{format.number(credits)}</strong>,
    },
  ]
  return (
    <DataTable
      caption={t('operator.reviews.title')}
      columns={columns}
      rows={reviews}
      rowKey={({ chargeId }) => chargeId}
    />
  )
}

type Decision = 'settled' | 'released'
type Decided = Awaited<ReturnType<typeof decide>>
/** The maximum per request. */
const most = 100

interface DecideBarProps {
  readonly selected: readonly OpenReview[]
  readonly shown: readonly OpenReview[]
  readonly onSelect: (selected: readonly OpenReview[]) => void
  readonly onDone: (decided: DecidedItems) => void
}

type DecidedItems = Decided['items']

function DecideBar({ selected, shown, onSelect, onDone }: DecideBarProps) {
  const { t } = useTranslation()
  // Copied when the dialog opens, because the list may change behind it.
  const [asked, setAsked] = useState<{ decision: Decision; reviews: readonly OpenReview[] } | null>(null)
  const said = useSelection(selected)
  const form = useDecideForm(asked?.reviews ?? [], asked?.decision ?? null, ({ items }) => onDone(items))
  const all = shown.slice(0, most)
  const areAllSelected = all.length > 0 && selected.length === all.length
  const ask = (decision: Decision) => setAsked({ decision, reviews: selected })
  const isWrong = selected.length === 0 || selected.length > most
  return (
    <>
      <div className={styles.bar}>
        <span className={styles.count} role="status">
          {t('operator.reviews.selected', said)}
        </span>
        <Button size="sm" variant="default" onClick={() => onSelect(areAllSelected ? [] : all)}>
          {t(areAllSelected ? 'operator.reviews.selectNone' : 'operator.reviews.selectAll')}
        </Button>
        <Button size="sm" disabled={isWrong} onClick={() => ask('settled')}>
          {t('operator.reviews.settle')}
        </Button>
        <Button size="sm" variant="default" disabled={isWrong} onClick={() => ask('released')}>
          {t('operator.reviews.release')}
        </Button>
      </div>
      <FormDialog form={form} onClose={() => setAsked(null)} />
    </>
  )
}

function useSelection(selected: readonly OpenReview[]) {
  const format = useFormat()
  const creditsText = useCreditsText()
  return {
    count: selected.length,
    amount: format.number(selected.length),
    credits: creditsText(selected.reduce((sum, { credits }) => sum + credits, 0)),
  }
}

function useDecideForm(
  selected: readonly OpenReview[],
  decision: Decision | null,
  onDecided: (decided: Decided) => void,
): DialogForm<'reason', Decided> | null {
  const { t } = useTranslation()
  const format = useFormat()
  const notify = useNotify()
  const reason = useReasonField({ hint: t('operator.reviews.reasonHint') })
  const said = useSelection(selected)
  if (decision === null) return null
  const action = decision === 'settled' ? 'settle' : 'release'
  return {
    title: t(`operator.reviews.${action}Title`, said),
    hint: t(`operator.reviews.${action}Hint`),
    fields: [reason],
    submitLabel: t(`operator.reviews.${action}`),
    isDestructive: decision === 'settled',
    send: (values) =>
      decide(
        selected.map(({ chargeId }) => chargeId),
        decision,
        values.reason.trim(),
      ),
    onDone: (decided) => {
      const count = decided.items.filter(({ error }) => error === null).length
      if (count > 0) notify(t(`operator.reviews.${decision}`, { count, amount: format.number(count) }))
      onDecided(decided)
    },
  }
}

const decide = (chargeIds: string[], decision: Decision, reason: string) =>
  askToWrite(() => operatorApi.POST('/reviews/decide', { body: { chargeIds, decision, reason } }))

/** The result for each call, or which operator decided it first. */
function ResultNotice({ items }: { items: DecidedItems }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sentence = useSentence()
  const undecided = items.filter(({ error }) => error !== null)
  if (undecided.length === 0 && items.length < 2) return null
  return (
    <div className={styles.faults}>
      <Notice
        tone={undecided.length > 0 ? 'bad' : 'good'}
        isNews
        title={t(undecided.length > 0 ? 'operator.reviews.notDecided' : 'operator.reviews.allDecided')}
      >
        <ul>
          {items.map(({ chargeId, decision, error, earlier }) => (
            <li key={chargeId}>
              <code>{chargeId}</code>:{' '}
              {decision ? t(`operator.reviews.now.${decision}`) : sentence(error?.code as OperatorApiCode)}{' '}
              {earlier &&
                t(`operator.reviews.${earlier.decision}Earlier`, { ...earlier, at: format.dateTime(earlier.at) })}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
