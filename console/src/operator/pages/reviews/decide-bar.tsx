import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperatorApiCode } from '../../../../../src/features/operators/contract/errors.ts'
import { useCreditsText } from '../../../design/amount.tsx'
import { Button } from '../../../design/button.tsx'
import { Notice } from '../../../design/notice.tsx'
import { useFormat } from '../../../format/format.ts'
import { useSentence } from '../../../format/use-sentence.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import type { OpenReview } from '../../api/types.ts'
import { type DialogForm, FormDialog } from '../../parts/form-dialog.tsx'
import { useTell } from '../../parts/news.tsx'
import { useReasonField } from '../../parts/use-reason-field.ts'
import styles from './reviews.module.css'

type Decision = 'settled' | 'released'
type Decided = Awaited<ReturnType<typeof decide>>
/** As many as one request may decide. */
const most = 100

interface DecideBarProps {
  readonly selected: readonly OpenReview[]
  readonly onDone: (undecided: Undecided) => void
}

/** Those that could not be decided, with the reason. */
export type Undecided = Decided['items']

/** How many calls are selected, and what can be done about them. */
export function DecideBar({ selected, onDone }: DecideBarProps) {
  const { t } = useTranslation()
  // As selected when it was asked: the list may lose some while the dialog is open.
  const [asked, setAsked] = useState<{ decision: Decision; reviews: readonly OpenReview[] } | null>(null)
  const said = useSelection(selected)
  const form = useDecideForm(asked?.reviews ?? [], asked?.decision ?? null, ({ items }) =>
    onDone(items.filter(({ error }) => error !== null)),
  )
  const ask = (decision: Decision) => setAsked({ decision, reviews: selected })
  const isWrong = selected.length === 0 || selected.length > most
  return (
    <>
      <div className={styles.bar}>
        <span className={styles.count} role="status">
          {t('operator.reviews.selected', said)}
        </span>
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
  const tell = useTell()
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
      if (count > 0) tell(t(`operator.reviews.${decision}`, { count, amount: format.number(count) }))
      onDecided(decided)
    },
  }
}

const decide = (chargeIds: string[], decision: Decision, reason: string) =>
  askToWrite(() => operatorApi.POST('/reviews/decide', { body: { chargeIds, decision, reason } }))

/** Why calls were not decided, and who was first where another operator was. */
export function UndecidedNotice({ items }: { items: Undecided }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sentence = useSentence()
  if (items.length === 0) return null
  return (
    <div className={styles.faults}>
      <Notice tone="bad" isNews title={t('operator.reviews.notDecided')}>
        <ul>
          {items.map(({ chargeId, error, earlier }) => (
            <li key={chargeId}>
              <code>{chargeId}</code>: {sentence(error?.code as OperatorApiCode)}{' '}
              {earlier &&
                t(`operator.reviews.${earlier.decision}Earlier`, { ...earlier, at: format.dateTime(earlier.at) })}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
