import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ask, codeOf, limitSourceOf, Unreachable } from '../../api/ask.ts'
import { callWithKey, openWithKey } from '../../api/call-with-key.ts'
import { gateway } from '../../api/gateway.ts'
import { queryClient, refreshProjectData } from '../../api/queries.ts'
import type { OperationId } from '../../api/types.ts'
import { Button, Spinner } from '../../design/button.tsx'
import { CodeBlock } from '../../design/copy.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Notice, type Tone } from '../../design/notice.tsx'
import { Sheet } from '../../design/page.tsx'
import { useFormat, useSentence } from '../../format/format.ts'
import { paths } from '../../installation.ts'
import { LimitActions } from './limit-actions.tsx'
import styles from './playground.module.css'
import type { JsonObject } from './schema.ts'
import { readStream } from './streaming.ts'
import { type Outcome, type Run, tabMemory, useTabMemory } from './tab-memory.ts'
import { keepItemsOf } from './value-field.tsx'

export function RunResponse({ run, onSendAgain }: { run: Run; onSendAgain: () => void }) {
  const { t } = useTranslation()
  const frame = useScrollIntoView(run)
  return (
    <Sheet title={t('playground.response')}>
      <div ref={frame} className={styles.frame} aria-live="polite">
        {run.isRunning ? (
          <>
            <p className={styles.waiting}>
              <Spinner /> {t('playground.running')}
            </p>
            {run.partial && <p className={styles.output}>{run.partial}</p>}
          </>
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
          <p className={styles.none}>{t('playground.noResponse')}</p>
        )}
      </div>
    </Sheet>
  )
}

const charged = { kind: 'charged' } as const

function Received({ outcome }: { outcome: Outcome }) {
  const format = useFormat()
  const { t } = useTranslation()
  const sentence = useSentence()
  const { tone, text } = useCost(outcome)
  const isRefusal = outcome.status >= 400 || (outcome.credits ?? charged).kind !== 'charged'
  return (
    <div className={styles.received}>
      <Notice
        tone={tone}
        title={`${t('playground.cost')}: ${text}`}
        actions={
          outcome.limit ? (
            <LimitActions {...outcome.limit} />
          ) : (
            outcome.chargeId && <Link href={`/usage/${outcome.chargeId}`}>{t('playground.seeCharge')}</Link>
          )
        }
      >
        {isRefusal &&
          (outcome.limit?.source === 'key_budget' ? t('trouble.budgetReached') : sentence(codeOf(outcome.body)))}
      </Notice>
      <OutputText body={outcome.body} />
      <CodeBlock
        label={`${t('playground.status', { status: outcome.status })} · ${format.ms(outcome.tookMs)}`}
        code={JSON.stringify(outcome.body, null, 2)}
        isTall
        isWrapped
      />
    </div>
  )
}

/** The model's output as text; the full response is below. */
function OutputText({ body }: { body: unknown }) {
  const { data, content } = (body ?? {}) as { data?: { output?: unknown }; content?: unknown }
  const output = data?.output ?? content
  return typeof output === 'string' && output !== '' ? <p className={styles.output}>{output}</p> : null
}

function useCost({ status, body, isReplay, credits }: Outcome): { tone: Tone; text: string } {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const { chargedCredits = 0, reservedCredits = 0 } = body as { chargedCredits?: number; reservedCredits?: number }
  if (credits?.kind === 'held')
    return { tone: 'wait', text: t('playground.costHeld', { credits: creditsText(credits.amount) }) }
  if (credits?.kind === 'nothing') return { tone: 'bad', text: t('playground.costNothing') }
  if (status === 202) return { tone: 'wait', text: t('playground.costHeld', { credits: creditsText(reservedCredits) }) }
  if (isReplay) return { tone: 'plain', text: t('playground.costReplayed') }
  if (status === 200)
    return {
      tone: 'good',
      text: t('playground.costCharged', { credits: creditsText(credits?.amount ?? chargedCredits) }),
    }
  return { tone: 'bad', text: t('playground.costNothing') }
}

/** Models may respond slowly. */
const waitMs = 90_000

interface PlannedCall {
  readonly operation: OperationId
  readonly path: string
  readonly body: JsonObject
  readonly apiKey: string
  readonly idempotencyKey: string
  readonly isStream: boolean
}

/** Sends a call like a program does, with the key only. It continues when the page is left, and its response is kept. */
export function useRun(operation: OperationId) {
  const { runs } = useTabMemory()
  return {
    ...(runs[operation] ?? { isRunning: false }),
    async send(call: Omit<PlannedCall, 'operation'>): Promise<void> {
      const owner = tabMemory.owner()
      const keep = (run: Run) => {
        // Another user may have signed in since.
        if (tabMemory.owner() !== owner) return
        tabMemory.change({ runs: { ...tabMemory.read().runs, [operation]: run } })
      }
      keep({ isRunning: true })
      keep(
        await (call.isStream
          ? stream({ operation, ...call }, (partial) => keep({ isRunning: true, partial }))
          : send({ operation, ...call })
        ).then(
          (outcome) => ({ isRunning: false, outcome }),
          (error) => ({ isRunning: false, error }),
        ),
      )
    },
  }
}

async function send({ operation, path, body, apiKey, idempotencyKey }: PlannedCall): Promise<Outcome> {
  const startedAt = performance.now()
  const url = path.replace(/^\/v1/, paths.api)
  const { response, json } = await callWithKey({ url, apiKey, idempotencyKey, body, waitMs })
  throwIfUnknown(response.status)
  const tookMs = Math.round(performance.now() - startedAt)
  keepItemsOf(json)
  const requestId = response.headers.get('x-request-id')
  const chargeId = await findCharge(operation, requestId).catch(() => null)
  void refreshProjectData()
  return {
    status: response.status,
    body: json,
    isReplay: response.headers.get('idempotent-replayed') === 'true',
    requestId,
    tookMs,
    chargeId,
    limit: limitOf(response, apiKey),
  }
}

/** Like `send`, but shows the text as it arrives. */
async function stream({ path, body, ...call }: PlannedCall, onText: (text: string) => void): Promise<Outcome> {
  const startedAt = performance.now()
  const response = await openWithKey({ ...call, url: path.replace(/^\/v1/, paths.api), body, waitMs: streamWaitMs })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const { body: json, errorCode } = isStream
    ? await readStream(response, onText)
    : { body: await response.json(), errorCode: null }
  throwIfUnknown(response.status, errorCode)
  void refreshProjectData()
  const header = (name: string) => response.headers.get(name)
  const isHeld = errorCode === 'MANUAL_REVIEW' || (!isStream && header('x-credits-reserved') !== null)
  const hasFailed = errorCode !== null || response.status >= 400
  const amount = Number(header('x-credits-charged') ?? header('x-credits-reserved') ?? 0)
  return {
    status: response.status,
    body: json,
    isReplay: header('idempotent-replayed') === 'true',
    requestId: header('x-request-id'),
    tookMs: Math.round(performance.now() - startedAt),
    chargeId: header('x-charge-id'),
    limit: limitOf(response, call.apiKey),
    credits: { kind: isHeld ? 'held' : hasFailed ? 'nothing' : 'charged', amount },
  }
}

/** The call may have been charged, and its outcome not recorded yet. */
function throwIfUnknown(status: number, errorCode: string | null = null): void {
  if (status === 500 || errorCode === 'INTERNAL_ERROR') throw new Unreachable(new Error('the outcome is not known yet'))
}

function limitOf(response: Response, apiKey: string): Outcome['limit'] {
  const source = limitSourceOf(response)
  return source && { source, apiKey }
}

/** A stream may take as long as the gateway allows. */
const streamWaitMs = 610_000

/** The response has no charge ID, but the charge has the request ID. */
async function findCharge(operation: OperationId, requestId: string | null): Promise<string | null> {
  if (requestId === null) return null
  const query = { operation, limit: 10 }
  const { items } = await queryClient.fetchQuery({
    queryKey: ['charge-of', requestId],
    queryFn: () => ask(() => gateway.GET('/console/usage', { params: { query } })),
    retry: false,
  })
  return items.find((charge) => charge.requestId === requestId)?.chargeId ?? null
}

/** Scrolls to the response if it is below the form, so that pressing Run has a visible effect. */
function useScrollIntoView({ isRunning }: Run) {
  const frame = useRef<HTMLDivElement>(null)
  const hasRun = useRef(false)
  useEffect(() => {
    // Not for a response from an earlier visit.
    if (isRunning) hasRun.current = true
    if (!hasRun.current || matchMedia('(min-width: 1100px)').matches) return
    frame.current?.parentElement?.scrollIntoView({ block: 'start' })
  }, [isRunning])
  return frame
}
