import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { queryClient, refreshBooks } from '../../api/queries.ts'
import type { CreatedKey } from '../../api/types.ts'
import { newIdempotencyKey } from '../../format/idempotency-key.ts'
import { unsavedKey } from './unsaved-key-store.ts'

/** The key exists, but the answer with its text got lost. */
export class PlaintextLost extends Error {}

/** Creates a key and shows its text. The same request again has the same Idempotency-Key, so it never makes a second key. */
export function useKeyCreation<B>(send: (body: B, idempotencyKey: string) => Promise<object>, onCreated: () => void) {
  const intent = useRef({ body: '', idempotencyKey: '' })
  return useMutation({
    async mutationFn(body: B) {
      const text = JSON.stringify(body)
      if (intent.current.body !== text) intent.current = { body: text, idempotencyKey: newIdempotencyKey() }
      const key = await send(body, intent.current.idempotencyKey)
      if (!('apiKey' in key)) throw new PlaintextLost()
      return key as CreatedKey
    },
    onSuccess(key) {
      unsavedKey.show(key)
      onCreated()
      void refreshBooks()
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
}
