import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationId } from '../../api/types.ts'
import { CodeBlock } from '../../design/code-block.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { curlOf } from '../../format/curl.ts'
import { Answer } from './answer.tsx'
import type { PublishedContract } from './contract-query.ts'
import { RequestForm } from './request-form.tsx'
import type { JsonObject } from './schema.ts'
import { useDraft } from './use-draft.ts'
import { useRun } from './use-run.ts'

interface WorkbenchProps {
  readonly contract: PublishedContract
  readonly operation: OperationId
  readonly apiKey: string
}

/** The request of one operation, its answer, and the same call as a command. */
export function Workbench({ contract, operation, apiKey }: WorkbenchProps) {
  const { t } = useTranslation()
  const [path, methods] = Object.entries(contract.paths).find(([, { post }]) => post?.operationId === operation)!
  const published = methods.post!
  const draft = useDraft(published.requestBody.content['application/json'].example as JsonObject)
  const run = useRun()
  const [isKeyMissing, setKeyMissing] = useState(false)
  const { body } = draft

  function send(idempotencyKey: string) {
    setKeyMissing(apiKey === '')
    if (apiKey !== '') run.send({ operation, path, body, apiKey, idempotencyKey })
  }

  return (
    <>
      <RequestForm
        published={published}
        components={contract.components.schemas}
        draft={draft}
        isRunning={run.isRunning}
        isKeyMissing={isKeyMissing && apiKey === ''}
        // After an answer it is a new call; as long as none came it is the same one.
        onSend={() => send(run.outcome ? draft.renew() : draft.idempotencyKey)}
      />
      <Answer run={run} onSendAgain={() => send(draft.idempotencyKey)} />
      <Sheet>
        <CodeBlock
          label={t('playground.curl')}
          code={curlOf({ url: location.origin + path, body, idempotencyKey: draft.idempotencyKey })}
        />
      </Sheet>
    </>
  )
}
