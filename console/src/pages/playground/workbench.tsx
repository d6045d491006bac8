import { Button, SegmentedControl, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationId } from '../../api/types.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { CodeBlock } from '../../design/code-block.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { curlOf } from '../../format/curl.ts'
import { useFormat } from '../../format/format.ts'
import { newIdempotencyKey } from '../../format/idempotency-key.ts'
import { Answer } from './answer.tsx'
import type { PublishedContract } from './contract-query.ts'
import { Fields } from './object-field.tsx'
import { type JsonObject, resolved } from './schema.ts'
import { useRun } from './use-run.ts'
import styles from './workbench.module.css'

interface WorkbenchProps {
  readonly contract: PublishedContract
  readonly operation: OperationId
  readonly apiKey: string
}

/** The request of one operation, the same as a command, and the answer. */
export function Workbench({ contract, operation, apiKey }: WorkbenchProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const { schemas } = contract.components
  const [path, { post }] = Object.entries(contract.paths).find(
    ([, methods]) => methods.post?.operationId === operation,
  )!
  const { schema, example } = post!.requestBody.content['application/json']
  const [body, setBody] = useState(example as JsonObject)
  const [form, setForm] = useState<'form' | 'json'>('form')
  const [text, setText] = useState<string | null>(null)
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const [isKeyMissing, setKeyMissing] = useState(false)
  const run = useRun()
  const credits = post!['x-credits']

  function change(next: JsonObject) {
    setBody(next)
    // Another request is another intent.
    setIdempotencyKey(newIdempotencyKey())
  }
  function changeText(typed: string) {
    setText(typed)
    const parsed = parsedObject(typed)
    if (parsed) change(parsed)
  }
  function send(key: string) {
    setKeyMissing(apiKey === '')
    if (apiKey !== '') run.send({ operation, path, body, apiKey, idempotencyKey: key })
  }

  return (
    <>
      <Sheet
        title={t('playground.request')}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('playground.request')}
            value={form}
            onChange={(chosen) => {
              setForm(chosen as 'form' | 'json')
              setText(chosen === 'json' ? JSON.stringify(body, null, 2) : null)
            }}
            data={[
              { value: 'form', label: t('playground.asForm') },
              { value: 'json', label: t('playground.asJson') },
            ]}
          />
        }
      >
        <p className={styles.price}>
          {t('playground.price', {
            credits: creditsText(credits),
            yuan: format.yuanOfCredits(credits),
            scope: post!['x-scope'],
          })}
        </p>
        <form
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            const key = run.outcome ? newIdempotencyKey() : idempotencyKey
            setIdempotencyKey(key)
            send(key)
          }}
        >
          {form === 'form' ? (
            <Fields
              schema={resolved(schema, schemas)}
              components={schemas}
              value={body}
              isRequired
              onChange={(next) => change((next ?? {}) as JsonObject)}
            />
          ) : (
            <Textarea
              label="JSON"
              autosize
              minRows={6}
              maxRows={24}
              classNames={{ input: styles.json! }}
              spellCheck={false}
              value={text ?? ''}
              onChange={(event) => changeText(event.currentTarget.value)}
              error={text !== null && !parsedObject(text) && t('playground.jsonWrong')}
            />
          )}
          <div className={styles.actions}>
            <Button type="submit" size="md" loading={run.isRunning}>
              {t('playground.run', { credits: creditsText(credits) })}
            </Button>
            <Button
              variant="default"
              size="md"
              onClick={() => {
                change(example as JsonObject)
                if (form === 'json') setText(JSON.stringify(example, null, 2))
              }}
            >
              {t('playground.reset')}
            </Button>
            {isKeyMissing && apiKey === '' && (
              <span role="alert" className={styles.missing}>
                {t('playground.keyMissing')}
              </span>
            )}
          </div>
        </form>
      </Sheet>
      <Answer run={run} onSendAgain={() => send(idempotencyKey)} />
      <Sheet>
        <CodeBlock label={t('playground.curl')} code={curlOf({ url: location.origin + path, body, idempotencyKey })} />
      </Sheet>
    </>
  )
}

function parsedObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}
