import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clipDefaults, clipSeconds, clipSizes } from '../../../../src/contract/choices.ts'
import { codeOf, Refused, Unreachable } from '../../api/ask.ts'
import { callWithKey } from '../../api/call-with-key.ts'
import { queryClient, refreshProjectData } from '../../api/queries.ts'
import type { Catalog } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Select, Textarea } from '../../design/field.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { Sheet } from '../../design/page.tsx'
import { newIdempotencyKey } from '../../format/code-samples.ts'
import { useFormat } from '../../format/format.ts'
import { handedKey } from '../../handoff.ts'
import { paths } from '../../installation.ts'
import { KeyField } from '../playground/key-field.tsx'
import { LimitActions } from '../playground/limit-actions.tsx'
import { tabMemory, useTabMemory } from '../playground/tab-memory.ts'
import styles from './media.module.css'

/** Creates a job like a program does, with a key. Shows the price before the button. */
export function JobForm({ catalog }: { catalog: Catalog }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const handed = handedKey.useGiven()
  const { apiKey } = useTabMemory()
  useEffect(() => {
    if (handed !== null) tabMemory.change({ apiKey: handed })
  }, [handed])
  const [prompt, setPrompt] = useState('')
  const [seconds, setSeconds] = useState<number>(clipDefaults.seconds)
  const [size, setSize] = useState<string>(clipDefaults.size)
  const [provider, setProvider] = useState(catalog.defaultMediaProvider)
  const [missing, setMissing] = useState<'prompt' | 'key' | null>(null)
  const creation = useCreate()
  const credits = seconds * catalog.mediaCreditsPerSecond

  function submit(event: FormEvent): void {
    event.preventDefault()
    const lacks = prompt.trim() === '' ? 'prompt' : apiKey === '' ? 'key' : null
    setMissing(lacks)
    if (lacks === null) void creation.create({ prompt, seconds, size, provider }, apiKey)
  }

  return (
    <Sheet title={t('media.form')}>
      <form className={styles.form} noValidate onSubmit={submit}>
        <Textarea
          label={t('media.prompt')}
          minRows={2}
          value={prompt}
          onChange={(event) => setPrompt(event.currentTarget.value)}
          error={missing === 'prompt' && t('media.promptMissing')}
        />
        <div className={styles.choices}>
          <Select
            label={t('media.seconds')}
            value={seconds}
            onChange={(event) => setSeconds(Number(event.currentTarget.value))}
            data={clipSeconds.map((value) => ({
              value: String(value),
              label: t('media.secondsValue', { count: value }),
            }))}
          />
          <Select
            label={t('media.size')}
            value={size}
            onChange={(event) => setSize(event.currentTarget.value)}
            data={[...clipSizes]}
          />
          <Select
            label={t('media.provider')}
            value={provider}
            onChange={(event) => setProvider(event.currentTarget.value)}
            data={catalog.mediaProviders.map(({ provider: name, enabled }) => ({
              value: name,
              label: enabled ? name : `${name}${t('common.note', { text: t('pricing.disabled') })}`,
            }))}
          />
        </div>
        <KeyField
          value={apiKey}
          wasHanded={handed !== null}
          onChange={(value) => tabMemory.change({ apiKey: value })}
        />
        <p className={styles.price}>
          {t('media.price', { credits: creditsText(credits), yuan: format.yuanOfCredits(credits) })}
        </p>
        <div className={styles.actions}>
          <Button type="submit" size="md" loading={creation.isRunning}>
            {t('media.create', { credits: creditsText(credits) })}
          </Button>
          {missing === 'key' && (
            <span role="alert" className={styles.missing}>
              {t('playground.keyMissing')}
            </span>
          )}
        </div>
        {creation.isLost ? (
          <Notice
            tone="wait"
            isNews
            title={t('media.lostTitle')}
            actions={<Button onClick={() => void creation.again()}>{t('media.sendAgain')}</Button>}
          >
            {t('media.lost')}
          </Notice>
        ) : (
          creation.error !== null && (
            <Problem error={creation.error}>
              {creation.error instanceof Refused && creation.error.limitSource && (
                <LimitActions source={creation.error.limitSource} apiKey={apiKey} />
              )}
            </Problem>
          )
        )}
      </form>
    </Sheet>
  )
}

const waitMs = 45_000

interface NewVideo {
  readonly prompt: string
  readonly seconds: number
  readonly size: string
  readonly provider: string
}

interface Attempt {
  readonly video: NewVideo
  readonly apiKey: string
  readonly idempotencyKey: string
}

/** Creates a job. If the response is lost, the retry uses the same Idempotency-Key. */
function useCreate() {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState<Attempt | null>(null)

  async function send(next: Attempt): Promise<void> {
    setAttempt(next)
    setRunning(true)
    setError(null)
    await post(next).catch(setError)
    setRunning(false)
    void queryClient.invalidateQueries({ queryKey: ['media'] })
    void refreshProjectData()
  }

  return {
    isRunning,
    error,
    isLost: error instanceof Unreachable,
    create: (video: NewVideo, apiKey: string) => send({ video, apiKey, idempotencyKey: newIdempotencyKey() }),
    again: async () => void (attempt && (await send(attempt))),
  }
}

async function post({ video, apiKey, idempotencyKey }: Attempt): Promise<void> {
  const url = `${paths.api}/media/jobs`
  const { response, json } = await callWithKey({ url, apiKey, idempotencyKey, body: video, waitMs })
  if (!response.ok) throw new Refused(codeOf(json), response)
}
