import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useCreditsText } from '../../../design/amount.tsx'
import { Notice } from '../../../design/notice.tsx'
import { useFormat } from '../../../format/format.ts'
import type { Overview } from '../../api/types.ts'
import { shortId } from '../../parts/short-id.ts'

interface Matter {
  readonly href: string
  readonly text: string
}

/** Everything that waits for an operator, each with the way to where it is dealt with. */
export function Attention({ overview }: { overview: Overview }) {
  const { t } = useTranslation()
  const matters = useMatters(overview)
  if (matters.length === 0) return <Notice tone="good">{t('operator.overview.allWell')}</Notice>
  return (
    <Notice tone="wait" title={t('operator.overview.attention')}>
      <ul>
        {matters.map(({ href, text }) => (
          <li key={text}>
            <Link href={href}>{text}</Link>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function useMatters({ reviews, pendingApprovals, providers, lastReconcile, instances }: Overview): Matter[] {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const matters: Matter[] = []
  const add = (href: string, text: string) => void matters.push({ href, text })
  if (reviews.open > 0) {
    const ago = reviews.oldestAt ? format.ago(reviews.oldestAt, Date.now()) : ''
    const said = {
      count: reviews.open,
      amount: format.number(reviews.open),
      credits: creditsText(reviews.credits),
      ago,
    }
    add('/reviews', t('operator.overview.reviewsOpen', said))
  }
  if (pendingApprovals > 0) {
    const said = { count: pendingApprovals, amount: format.number(pendingApprovals) }
    add('/approvals', t('operator.overview.approvalsOpen', said))
  }
  for (const { name, state, breaker } of providers) {
    if (state === 'out_of_service') add('/providers', t('operator.overview.outOfService', { name }))
    else if (breaker === 'open') add('/providers', t('operator.overview.breakerOpen', { name }))
  }
  if (lastReconcile?.state === 'different') {
    const count = lastReconcile.differenceCount ?? 1
    const text = t('operator.overview.booksDiffer', { count, amount: format.number(count) })
    add(`/reconcile/${lastReconcile.runId}`, text)
  }
  if (lastReconcile?.state === 'failed') add('/reconcile', t('operator.overview.reconcileFailed'))
  for (const { instanceId, isLive } of instances) {
    if (!isLive) add('/settings', t('operator.overview.instanceGone', { id: shortId(instanceId) }))
  }
  return matters
}
