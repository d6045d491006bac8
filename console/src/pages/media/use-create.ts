import { useState } from 'react'
import { callWithKey } from '../../api/call-with-key.ts'
import { queryClient, refreshBooks } from '../../api/queries.ts'
import { codeOf, Refused, Unreachable } from '../../api/refusal.ts'
import { newIdempotencyKey } from '../../format/idempotency-key.ts'
import { place } from '../../place.ts'

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

/** Creates a job. A job whose response was lost is sent again with the same key, so that it is created once. */
export function useCreate() {
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
    void refreshBooks()
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
  const url = `${place.api}/media/jobs`
  const { response, answer } = await callWithKey({ url, apiKey, idempotencyKey, body: video, waitMs })
  if (!response.ok) throw new Refused(codeOf(answer), response)
}
