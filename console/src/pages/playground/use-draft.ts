import { useState } from 'react'
import { newIdempotencyKey } from '../../format/idempotency-key.ts'
import type { JsonObject } from './schema.ts'

/** A request as it is being written, in the form or as text; each change makes it another intent. */
export function useDraft(example: JsonObject) {
  const [body, setBody] = useState(example)
  const [text, setText] = useState<string | null>(null)
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)

  function change(next: JsonObject) {
    setBody(next)
    renew()
  }
  function renew() {
    const fresh = newIdempotencyKey()
    setIdempotencyKey(fresh)
    return fresh
  }
  return {
    body,
    idempotencyKey,
    /** Null while the form is shown. */
    text,
    isBroken: text !== null && parsedObject(text) === null,
    change,
    changeText(typed: string) {
      setText(typed)
      const parsed = parsedObject(typed)
      if (parsed) change(parsed)
    },
    showAs: (form: 'form' | 'json') => setText(form === 'json' ? asText(body) : null),
    reset() {
      change(example)
      if (text !== null) setText(asText(example))
    },
    renew,
  }
}

export type Draft = ReturnType<typeof useDraft>

const asText = (body: JsonObject) => JSON.stringify(body, null, 2)

function parsedObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}
