import { useTranslation } from 'react-i18next'
import type { Charge } from '../api/types.ts'
import { useSentence } from '../design/use-sentence.ts'

/** Why a call was released or held: by its code where there is one, else by the words of the gateway. */
export function useReason(): (reason: NonNullable<Charge['reason']>) => string {
  const { t } = useTranslation()
  const sentence = useSentence()
  return ({ code, text }) => {
    if (code) return `${sentence(code)} (${code})`
    const name = reasonNames[text.replace(/ \([^)]*\)$/, '')]
    return name ? t(`reasons.${name}`) : text
  }
}

type ReasonName =
  | 'answeredTimeout'
  | 'timedOut'
  | 'reset'
  | 'cutBody'
  | 'garbled'
  | 'failedAfterSending'
  | 'stoppedDuring'
  | 'stoppedBefore'

/** The gateway's words for endings that have no error code; test/console/reasons.test.ts holds them against the gateway. */
export const reasonNames: Readonly<Record<string, ReasonName>> = {
  'answered 408 or 504': 'answeredTimeout',
  'the time for the call ran out after sending': 'timedOut',
  'the connection ended before an answer': 'reset',
  'the connection ended within the body of a 2xx': 'cutBody',
  'answered with something other than HTTP': 'garbled',
  'our own code failed after sending': 'failedAfterSending',
  'the adapter failed unexpectedly': 'failedAfterSending',
  'the instance stopped while the call was under way': 'stoppedDuring',
  'the instance stopped before anything was forwarded': 'stoppedBefore',
}
