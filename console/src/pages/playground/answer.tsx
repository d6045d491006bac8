import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { codeOf } from '../../api/refusal.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { Button, Spinner } from '../../design/button.tsx'
import { CodeBlock } from '../../design/code-block.tsx'
import { Notice, type Tone } from '../../design/notice.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { useSentence } from '../../format/use-sentence.ts'
import styles from './answer.module.css'
import type { Outcome, Run } from './tab-memory.ts'
import { useIntoSight } from './use-into-sight.ts'

/** What came back, and what it cost. */
export function Answer({ run, onSendAgain }: { run: Run; onSendAgain: () => void }) {
  const { t } = useTranslation()
  const frame = useIntoSight(run)
  return (
    <Sheet title={t('playground.answer')}>
      <div ref={frame} className={styles.frame} aria-live="polite">
        {run.isRunning ? (
          <p className={styles.waiting}>
            <Spinner /> {t('playground.running')}
          </p>
        ) : run.error ? (
          <Notice
            tone="wait"
            title={t('playground.lostTitle')}
            actions={<Button onClick={onSendAgain}>{t('playground.sendAgain')}</Button>}
          >
            {t('playground.lost')}
          </Notice>
        ) : run.outcome ? (
          <Received outcome={run.outcome} />
        ) : (
          <p className={styles.none}>{t('playground.noAnswer')}</p>
        )}
      </div>
    </Sheet>
  )
}

function Received({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation()
  const sentence = useSentence()
  const { tone, text } = useCost(outcome)
  const isRefusal = outcome.status >= 400
  return (
    <div className={styles.received}>
      <Notice
        tone={tone}
        title={`${t('playground.cost')}: ${text}`}
        actions={outcome.chargeId && <Link href={`/usage/${outcome.chargeId}`}>{t('playground.seeReceipt')}</Link>}
      >
        {isRefusal && sentence(codeOf(outcome.body))}
      </Notice>
      <OutputText body={outcome.body} />
      <CodeBlock
        label={`${t('playground.status', { status: outcome.status })} · ${t('playground.took', { ms: outcome.tookMs })}`}
        code={JSON.stringify(outcome.body, null, 2)}
        isTall
        isWrapped
      />
    </div>
  )
}

/** What a model said, as text; the whole response is below it. */
function OutputText({ body }: { body: unknown }) {
  const output = (body as { data?: { output?: unknown } } | null)?.data?.output
  return typeof output === 'string' && output !== '' ? <p className={styles.output}>{output}</p> : null
}

function useCost({ status, body, isReplay }: Outcome): { tone: Tone; text: string } {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const { chargedCredits = 0, reservedCredits = 0 } = body as { chargedCredits?: number; reservedCredits?: number }
  if (status === 202) return { tone: 'wait', text: t('playground.costHeld', { credits: creditsText(reservedCredits) }) }
  if (isReplay) return { tone: 'plain', text: t('playground.costReplayed') }
  if (status === 200)
    return { tone: 'good', text: t('playground.costCharged', { credits: creditsText(chargedCredits) }) }
  return { tone: 'bad', text: t('playground.costNothing') }
}
