import { useState } from 'react'
import type { OperationId } from '../../api/types.ts'
import { newIdempotencyKey } from '../../format/idempotency-key.ts'
import type { JsonObject } from './schema.ts'
import { type Draft, tabMemory, useTabMemory } from './tab-memory.ts'

/** The request of an operation, in the form or as text; each change makes it another intent. */
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
    /** Kept as it is sent: should its response get lost, the same call can be sent again later. */
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

export type OpenDraft = ReturnType<typeof useDraft>

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
