import { useTranslation } from 'react-i18next'
import { paymentIn, type Verification, type VerificationStep } from '../../../../sdk/src/verify.ts'
import { Icons } from '../../design/icons.tsx'
import { Notice } from '../../design/notice.tsx'
import { useFormat } from '../../format/format.ts'
import { addWords } from '../../i18n/i18n.ts'
import styles from './proof.module.css'
import * as words from './words.ts'

export { checkReceipt } from './check.ts'

addWords(words)

interface VerifiedProps {
  /** Null if this browser cannot verify. */
  readonly outcome: Verification | null
  /** Signed, but not in the log yet: it is checked again automatically. */
  readonly isPending: boolean
}

export function Verified({ outcome, isPending }: VerifiedProps) {
  const { t } = useTranslation()
  if (!outcome) {
    return (
      <Notice tone="wait" isNews title={t('proof.unableTitle')}>
        {t('proof.unable')}
      </Notice>
    )
  }
  const { ok, steps, payload } = outcome
  return (
    <>
      <Notice
        tone={ok ? 'good' : isPending ? 'wait' : 'bad'}
        isNews
        title={t(ok ? 'proof.verified' : isPending ? 'proof.pending' : 'proof.notVerified')}
      >
        {t(ok ? 'proof.verifiedHint' : isPending ? 'proof.pendingHint' : 'proof.notVerifiedHint')}
      </Notice>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <StepLine key={step.name} step={step} isPending={isPending} payload={payload} />
        ))}
      </ol>
      {payload && (
        <details>
          <summary>{t('proof.signed')}</summary>
          <pre className={styles.payload}>{JSON.stringify(payload, null, 2)}</pre>
        </details>
      )}
    </>
  )
}

interface StepLineProps {
  readonly step: VerificationStep
  readonly isPending: boolean
  readonly payload: Verification['payload']
}

function StepLine({ step: { name, ok, detail }, isPending, payload }: StepLineProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const waits = !ok && isPending && name !== 'signature' && name !== 'canonical' && name !== 'payment'
  const state = ok ? 'holds' : waits ? 'waits' : 'fails'
  const checkpoint = typeof payload?.checkpoint === 'string' ? payload.checkpoint : ''
  const size = format.number(Number(checkpoint.split('\n')[1] ?? 0))
  const payment = payload && paymentIn(payload)
  const amounts = {
    paid: payment ? format.yuanOfFen(payment.paidFen) : '',
    order: payment ? format.yuanOfFen(payment.orderFen) : '',
  }
  return (
    <li data-state={state}>
      <span className={styles.mark}>{ok ? <Icons.check size={16} /> : <Icons.warning size={16} />}</span>
      <div>
        <p className={styles.stepName}>
          {t(`proof.steps.${name}`)} <span>{t(`proof.${state}`)}</span>
        </p>
        <p>
          {ok && payment?.isOrderOnly && name === 'payment'
            ? t('proof.orderOnly', amounts)
            : t(`proof.${waits ? 'waiting' : ok ? 'proves' : 'fault'}.${name}`, { size, ...amounts })}
        </p>
        {!ok && !waits && (
          <p className={styles.detail} lang="en">
            {detail}
          </p>
        )}
      </div>
    </li>
  )
}
