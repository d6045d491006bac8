import { Unreachable } from './ask.ts'

interface KeyCall {
  readonly url: string
  readonly apiKey: string
  readonly idempotencyKey: string
  readonly body: object
  readonly waitMs: number
}

/** Calls an operation like a program does: with the key, without the session. */
export async function callWithKey(call: KeyCall): Promise<{ readonly response: Response; readonly json: unknown }> {
  const response = await openWithKey(call)
  try {
    return { response, json: await response.json() }
  } catch (cause) {
    throw new Unreachable(cause)
  }
}

/** The same, with a body that is still to be read. */
export async function openWithKey({ url, apiKey, idempotencyKey, body, waitMs }: KeyCall): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      credentials: 'omit',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Idempotency-Key': idempotencyKey,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(waitMs),
    })
  } catch (cause) {
    throw new Unreachable(cause)
  }
}
