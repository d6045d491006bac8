import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { catalogQuery } from '../../api/queries.ts'
import type { OperationId } from '../../api/types.ts'
import { Answer } from './answer.tsx'
import type { PublishedContract } from './contract-query.ts'
import { FieldChoices } from './field-choices.tsx'
import { RequestForm } from './request-form.tsx'
import { Samples } from './samples.tsx'
import type { JsonObject } from './schema.ts'
import { useDraft } from './use-draft.ts'
import { useLocalExample } from './use-local-example.ts'
import { useRun } from './use-run.ts'
import styles from './workbench.module.css'

interface WorkbenchProps {
  readonly contract: PublishedContract
  readonly operation: OperationId
  readonly apiKey: string
  /** What is chosen before the request: the operation and the key. */
  readonly children: ReactNode
}

/** The request of one operation, beside it the response and the same call as code. */
export function Workbench({ contract, operation, apiKey, children }: WorkbenchProps) {
  const { data: catalog } = useQuery(catalogQuery)
  const [path, methods] = Object.entries(contract.paths).find(([, { post }]) => post?.operationId === operation)!
  const published = methods.post!
  const example = useLocalExample(published.requestBody.content['application/json'].example as JsonObject)
  const draft = useDraft(operation, example)
  const run = useRun(operation)
  const [isKeyMissing, setKeyMissing] = useState(false)
  const { body } = draft

  function send(idempotencyKey: string) {
    setKeyMissing(apiKey === '')
    if (apiKey === '') return
    draft.keep()
    void run.send({ path, body, apiKey, idempotencyKey })
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
          // After a response it is a new call; as long as none came it is the same one.
          onSend={() => send(run.outcome ? draft.renew() : draft.idempotencyKey)}
        >
          {children}
        </RequestForm>
        <div className={styles.results}>
          <Answer run={run} onSendAgain={() => send(draft.idempotencyKey)} />
          <Samples url={location.origin + path} body={body} idempotencyKey={draft.idempotencyKey} />
        </div>
      </div>
    </FieldChoices>
  )
}
