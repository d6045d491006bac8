import createClient from 'openapi-fetch'
import { place } from '../place.ts'
import type { paths } from './contract.gen.d.ts'
import { fetchOrTakeEarly } from './early-reads.ts'
import { codeOf, isRefused, Refused, Unreachable } from './refusal.ts'

const waitMs = 20_000

/** The API, typed by the contract. Call it through `ask` or `askToWrite`. */
export const gateway = createClient<paths>({
  baseUrl: place.api,
  fetch: (request) =>
    fetchOrTakeEarly(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(waitMs)]) }),
})

/** In memory alone: the latest of a sign-in or of GET /v1/me. */
let csrfToken = ''
export const keepCsrfToken = (token: string): void => {
  csrfToken = token
}

gateway.use({
  onRequest({ request }) {
    if (request.method === 'POST' && csrfToken !== '') request.headers.set('X-CSRF-Token', csrfToken)
  },
})

type Reply<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** The answer of the gateway, or an error that says whether it refused or was never reached. */
export async function ask<T>(send: () => Reply<T>): Promise<T> {
  const { data, error, response } = await send().catch((cause) => {
    throw new Unreachable(cause)
  })
  if (!response.ok) throw new Refused(codeOf(error), response)
  return data as T
}

type ReadToken = () => Promise<unknown>
let readToken: ReadToken = async () => {}
let reading: Promise<unknown> | undefined

/** How a fresh token is had: the session says it, because reading it is reading the account. */
export const readTokenWith = (read: ReadToken): void => {
  readToken = read
}

/** One reader at a time: two would replace each other's token. */
export function renewToken(): Promise<unknown> {
  reading ??= readToken().finally(() => {
    reading = undefined
  })
  return reading
}

/** A write of the session. When another tab has replaced the token, it is read again and the write sent once more. */
export async function askToWrite<T>(send: () => Reply<T>): Promise<T> {
  await reading?.catch(() => {})
  try {
    return await ask(send)
  } catch (error) {
    if (!isRefused(error, 'CSRF_INVALID')) throw error
    await renewToken()
    return ask(send)
  }
}
