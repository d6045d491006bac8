import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { overviewQuery } from '../../api/queries.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { Button, LinkButton } from '../../design/button.tsx'
import { Notice } from '../../design/notice.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { type Step, Steps } from '../../design/steps.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './order-progress.module.css'
import type { RechargeFlow } from './use-recharge.ts'

/** The order as a line of steps; a lost answer is a step of its own that says how to go on safely. */
export function OrderProgress({ flow }: { flow: RechargeFlow }) {
  const { t } = useTranslation()
  const progress = useRef<HTMLDivElement>(null)
  // It takes the place of the form or appears above the list: that is where the reader has to be now.
  useEffect(() => progress.current?.focus(), [])
  return (
    <div ref={progress} tabIndex={-1} className={styles.progress}>
      <Sheet title={t('recharge.timeline')} actions={flow.order && <code>{flow.order.orderId}</code>}>
        <Steps steps={useSteps(flow)} />
        <div className={styles.next}>
          {flow.isCreateUnknown ? <UnknownCreate flow={flow} /> : flow.order && <NextMove flow={flow} />}
        </div>
      </Sheet>
    </div>
  )
}

function useSteps({ order, isCreateUnknown, isConfirmUnknown }: RechargeFlow): Step[] {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const isCredited = order?.state === 'credited'
  return [
    {
      key: 'created',
      title: t('recharge.stepCreated'),
      state: order ? 'done' : isCreateUnknown ? 'wait' : 'now',
      time: order && format.dateTime(order.createdAt),
      hint:
        order &&
        t('recharge.stepCreatedHint', {
          yuan: format.yuanOfFen(order.amountFen),
          credits: creditsText(order.creditAmount),
          version: order.pricingVersion,
        }),
    },
    {
      key: 'paid',
      title: t('recharge.stepPaid'),
      state: isCredited ? 'done' : order ? (isConfirmUnknown ? 'wait' : 'now') : 'later',
      time: order?.simulatedPaidAt && format.dateTime(order.simulatedPaidAt),
      hint: order && !isCredited && t('recharge.stepPaidHint'),
    },
    {
      key: 'credited',
      title: t('recharge.stepCredited'),
      state: isCredited ? 'done' : 'later',
      time: order?.creditedAt && format.dateTime(order.creditedAt),
      hint: isCredited && t('recharge.stepCreditedHint', { credits: creditsText(order.creditAmount) }),
    },
  ]
}

function UnknownCreate({ flow }: { flow: RechargeFlow }) {
  const { t } = useTranslation()
  return (
    <Notice
      tone="wait"
      isNews
      title={t('recharge.unknownCreateTitle')}
      actions={
        <Button loading={flow.isCreating} onClick={flow.createAgain}>
          {t('recharge.checkAgain')}
        </Button>
      }
    >
      {t('recharge.unknownCreate')}
    </Notice>
  )
}

/** Whoever has a key needs no other. */
function NextStep() {
  const { t } = useTranslation()
  const { data } = useQuery(overviewQuery)
  const hasKey = data?.firstSteps.hasKey === true
  return (
    <LinkButton href={hasKey ? '/playground' : '/keys'}>
      {t(hasKey ? 'recharge.toPlayground' : 'recharge.toKeys')}
    </LinkButton>
  )
}

function NextMove({ flow }: { flow: RechargeFlow }) {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const order = flow.order!
  if (order.state === 'credited') {
    return (
      <Notice
        tone="good"
        isNews
        title={t('recharge.credited', { credits: creditsText(order.creditAmount) })}
        actions={
          <>
            <NextStep />
            <Button variant="default" onClick={flow.startOver}>
              {t('recharge.startOver')}
            </Button>
          </>
        }
      />
    )
  }
  if (flow.isConfirmUnknown) {
    return (
      <>
        <Notice
          tone="wait"
          isNews
          title={t('recharge.unknownConfirmTitle')}
          actions={
            <Button loading={flow.isChecking} onClick={flow.check}>
              {t('recharge.checkAgain')}
            </Button>
          }
        >
          {t('recharge.unknownConfirm')}
        </Notice>
        {flow.checkError && <Problem error={flow.checkError} />}
      </>
    )
  }
  return (
    <>
      {flow.wasStillPending && <Notice isNews>{t('recharge.stillPending')}</Notice>}
      {flow.confirmError && <Problem error={flow.confirmError} />}
      <div className={styles.buttons}>
        <Button size="md" loading={flow.isConfirming || flow.isChecking} onClick={flow.confirm}>
          {t('recharge.confirm')}
        </Button>
        <Button size="md" variant="default" onClick={flow.startOver}>
          {t('recharge.cancelOrder')}
        </Button>
      </div>
    </>
  )
}
