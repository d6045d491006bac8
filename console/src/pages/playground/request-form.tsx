import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { OperationId } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Segments } from '../../design/choices.tsx'
import { Textarea } from '../../design/field.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Notice } from '../../design/notice.tsx'
import { Sheet } from '../../design/page.tsx'
import { newIdempotencyKey } from '../../format/code-samples.ts'
import { useFormat } from '../../format/format.ts'
import styles from './playground.module.css'
import { type Json, type JsonObject, type PublishedContract, type PublishedOperation, resolved } from './schema.ts'
import { Fields } from './schema-field.tsx'
import { type Draft, tabMemory, useTabMemory } from './tab-memory.ts'
import { useFoundItems } from './value-field.tsx'

interface RequestFormProps {
  readonly published: PublishedOperation
  readonly components: PublishedContract['components']['schemas']
  readonly draft: OpenDraft
  readonly isRunning: boolean
  readonly isKeyMissing: boolean
  readonly onSend: () => void
  /** Controls above the request: operation and key. */
  readonly children: ReactNode
}

export function RequestForm(props: RequestFormProps) {
  const { published, components, draft, isRunning, isKeyMissing, onSend, children } = props
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const { 'x-credits': credits, 'x-scope': scope } = published
  return (
    <Sheet
      title={t('playground.request')}
      actions={
        <Segments
          aria-label={t('playground.request')}
          value={draft.text === null ? 'form' : 'json'}
          onChange={draft.showAs}
          data={[
            { value: 'form', label: t('playground.asForm') },
            { value: 'json', label: t('playground.asJson') },
          ]}
        />
      }
    >
      {children}
      <p className={styles.price}>
        {t('playground.price', { credits: creditsText(credits), yuan: format.yuanOfCredits(credits), scope })}
      </p>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!draft.isBroken) onSend()
        }}
      >
        <SearchFirst published={published} components={components} />
        <DraftFields published={published} components={components} draft={draft} />
        <div className={styles.actions}>
          <Button type="submit" size="md" loading={isRunning} disabled={draft.isBroken}>
            {t('playground.run', { credits: creditsText(credits) })}
          </Button>
          <Button variant="subtle" size="md" onClick={draft.reset}>
            {t('playground.reset')}
          </Button>
          {isKeyMissing && (
            <span role="alert" className={styles.missing}>
              {t('playground.keyMissing')}
            </span>
          )}
        </div>
      </form>
    </Sheet>
  )
}

/** Items can be used only after a search has returned them to the project. */
function SearchFirst({ published, components }: Pick<RequestFormProps, 'published' | 'components'>) {
  const { t } = useTranslation()
  const hasFound = useFoundItems().length > 0
  const { properties = {} } = resolved(published.requestBody.content['application/json'].schema, components)
  if (hasFound || !('itemRef' in properties || 'itemRefs' in properties)) return null
  return (
    <Notice actions={<Link href="/playground/pick.search">{t(`operations.${'pick.search'}`)}</Link>}>
      {t('playground.searchFirst')}
    </Notice>
  )
}

function DraftFields({ published, components, draft }: Pick<RequestFormProps, 'published' | 'components' | 'draft'>) {
  const { t } = useTranslation()
  if (draft.text === null) {
    return (
      <Fields
        schema={resolved(published.requestBody.content['application/json'].schema, components)}
        components={components}
        value={draft.body}
        isRequired
        onChange={(next) => draft.change((next ?? {}) as JsonObject)}
      />
    )
  }
  return (
    <Textarea
      label="JSON"
      minRows={6}
      maxRows={24}
      inputClassName={styles.json}
      spellCheck={false}
      value={draft.text}
      onChange={(event) => draft.changeText(event.currentTarget.value)}
      error={draft.isBroken && t('playground.jsonWrong')}
    />
  )
}

/** The request of an operation, as form or JSON; each change makes it a new intent. */
export function useDraft(operation: OperationId, example: JsonObject) {
  const { drafts } = useTabMemory()
  const [fresh] = useState(() => new Map<OperationId, Draft>())
  const draft = drafts[operation] ?? fresh.get(operation) ?? newDraft()
  fresh.set(operation, draft)
  const body = draft.body ?? example
  const keep = (change: Partial<Draft>) => {
    const kept = tabMemory.read().drafts
    tabMemory.change({ drafts: { ...kept, [operation]: { ...(kept[operation] ?? draft), ...change } } })
  }
  return {
    body,
    idempotencyKey: draft.idempotencyKey,
    /** Null while the form is shown. */
    text: draft.text,
    isBroken: draft.text !== null && parsedObject(draft.text) === null,
    /** Kept when sent, so that the same call can be repeated if its response is lost. */
    keep: () => keep({ body }),
    change: (next: JsonObject) => keep({ body: next, idempotencyKey: newIdempotencyKey() }),
    changeText(text: string) {
      const parsed = parsedObject(text)
      keep({ text, ...(parsed && { body: parsed, idempotencyKey: newIdempotencyKey() }) })
    },
    showAs: (form: 'form' | 'json') => keep({ text: form === 'json' ? asText(body) : null }),
    reset: () =>
      keep({
        body: null,
        text: draft.text === null ? null : asText(example),
        idempotencyKey: newIdempotencyKey(),
      }),
    renew() {
      const fresh = newIdempotencyKey()
      keep({ idempotencyKey: fresh })
      return fresh
    },
  }
}

type OpenDraft = ReturnType<typeof useDraft>

const newDraft = (): Draft => ({ body: null, text: null, idempotencyKey: newIdempotencyKey() })

const asText = (body: JsonObject) => JSON.stringify(body, null, 2)

function parsedObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}

/** The contract's example with translated texts. */
export function useLocalExample(example: JsonObject): JsonObject {
  const { t } = useTranslation()
  return useMemo(() => {
    const texts: JsonObject = {
      prompt: t('playground.samples.prompt.a'),
      query: t('playground.samples.query.a'),
      requirements: [t('playground.samples.requirement')],
    }
    return localized(example, texts) as JsonObject
  }, [example, t])
}

function localized(value: Json, texts: JsonObject): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, field]) => [name, texts[name] ?? localized(field, texts)]),
  )
}
