import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'wouter'
import { billableOperations } from '../../../../src/contract/prices.ts'
import { catalogQuery } from '../../api/queries.ts'
import type { OperationId } from '../../api/types.ts'
import { Segments } from '../../design/choices.tsx'
import { CodeBlock } from '../../design/copy.tsx'
import { Checkbox, Select } from '../../design/field.tsx'
import { LoadingRows, Problem } from '../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../design/page.tsx'
import { codeSamples, type SampleLanguage } from '../../format/code-samples.ts'
import { handedKey } from '../../handoff.ts'
import { addWords } from '../../i18n/i18n.ts'
import * as pricingWords from '../pricing/words.ts'
import { KeyField } from './key-field.tsx'
import styles from './playground.module.css'
import { RequestForm, useDraft, useLocalExample } from './request-form.tsx'
import { RunResponse, useRun } from './run-response.tsx'
import { contractQuery, type JsonObject, type PublishedContract } from './schema.ts'
import { asCompletion, completionsPath } from './streaming.ts'
import { tabMemory, useTabMemory } from './tab-memory.ts'
import { FieldChoices } from './value-field.tsx'
import * as words from './words.ts'

addWords(words, pricingWords)

/** A form for any operation, generated from the published contract. */
export function Playground() {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const params = useParams<{ operation?: string }>()
  const operation = billableOperations.find((id) => id === params.operation) ?? 'model.chat'
  const { data, error, refetch } = useQuery(contractQuery)
  // The form is rendered in small slices, which keeps the page responsive.
  const contract = useDeferredValue(data)
  const handed = handedKey.useGiven()
  const { apiKey } = useTabMemory()
  useEffect(() => {
    if (handed !== null) tabMemory.change({ apiKey: handed })
  }, [handed])

  return (
    <div className={wide}>
      <PageHead title={t('playground.title')} lead={t('playground.lead')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!contract && !error && (
        <Sheet>
          <LoadingRows rows={12} />
        </Sheet>
      )}
      {contract && (
        <Workbench contract={contract} operation={operation} apiKey={apiKey}>
          <Select
            label={t('playground.operation')}
            value={operation}
            onChange={(event) => navigate(`/playground/${event.currentTarget.value}`, { replace: true })}
            data={billableOperations.map((value) => ({ value, label: `${t(`operations.${value}`)} · ${value}` }))}
          />
          <KeyField
            value={apiKey}
            onChange={(typed) => tabMemory.change({ apiKey: typed })}
            wasHanded={handed !== null && handed === apiKey}
          />
        </Workbench>
      )}
    </div>
  )
}

interface WorkbenchProps {
  readonly contract: PublishedContract
  readonly operation: OperationId
  readonly apiKey: string
  /** Controls above the request: operation and key. */
  readonly children: ReactNode
}

function Workbench({ contract, operation, apiKey, children }: WorkbenchProps) {
  const { t } = useTranslation()
  const { data: catalog } = useQuery(catalogQuery)
  const [path, methods] = Object.entries(contract.paths).find(([, { post }]) => post?.operationId === operation)!
  const published = methods.post!
  const example = useLocalExample(published.requestBody.content['application/json'].example as JsonObject)
  const draft = useDraft(operation, example)
  const run = useRun(operation)
  const [isKeyMissing, setKeyMissing] = useState(false)
  const isStream = useTabMemory().isStreaming && operation === 'model.chat'
  const call = isStream
    ? { path: completionsPath, body: asCompletion(draft.body, catalog ?? null) }
    : { path, body: draft.body }

  function send(idempotencyKey: string) {
    setKeyMissing(apiKey === '')
    if (apiKey === '') return
    draft.keep()
    void run.send({ ...call, apiKey, idempotencyKey, isStream })
  }

  return (
    <FieldChoices value={catalog ?? null}>
      <div className={styles.columns}>
        <RequestForm
          published={published}
          components={contract.components.schemas}
          draft={draft}
          isRunning={run.isRunning}
          isKeyMissing={isKeyMissing && apiKey === ''}
          // A new call after a response; until then the same one.
          onSend={() => send(run.outcome ? draft.renew() : draft.idempotencyKey)}
        >
          {children}
          {operation === 'model.chat' && (
            <div className={styles.field}>
              <Checkbox
                label={t('playground.stream')}
                description={t('playground.streamHint')}
                checked={isStream}
                onChange={(event) => {
                  tabMemory.change({ isStreaming: event.currentTarget.checked })
                  // Another request, so another key.
                  draft.renew()
                }}
              />
            </div>
          )}
        </RequestForm>
        <div className={styles.results}>
          <RunResponse run={run} onSendAgain={() => send(draft.idempotencyKey)} />
          <Samples url={location.origin + call.path} body={call.body} idempotencyKey={draft.idempotencyKey} />
        </div>
      </div>
    </FieldChoices>
  )
}

const names = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const satisfies Record<
  SampleLanguage,
  string
>

/** The same call for a terminal or a program. */
function Samples(call: { url: string; body: unknown; idempotencyKey: string }) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  return (
    <Sheet
      title={t('playground.code')}
      actions={
        <Segments
          aria-label={t('playground.code')}
          value={language}
          onChange={(chosen) => setLanguage(chosen as SampleLanguage)}
          data={Object.entries(names).map(([value, label]) => ({ value, label }))}
        />
      }
    >
      <CodeBlock label={names[language]} code={codeSamples[language](call)} hint={t('playground.codeHint')} />
    </Sheet>
  )
}
