import { codeOf, isRefused, messageOf, Refused, Unreachable } from './refusal.ts'

export type Reply<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** The answer of the gateway, or an error that says whether it refused or was never reached. */
export async function ask<T>(send: () => Reply<T>): Promise<T> {
  const { data, error, response } = await send().catch((cause) => {
    throw new Unreachable(cause)
  })
  if (!response.ok) throw new Refused(codeOf(error), response, messageOf(error))
  return data as T
}

export type TokenKeeper = ReturnType<typeof createTokenKeeper>

/** The CSRF token of a session, in memory alone, and writes that carry it. */
export function createTokenKeeper() {
  let token = ''
  let read: () => Promise<unknown> = async () => {}
  let reading: Promise<unknown> | undefined

  /** One reader at a time: two would replace each other's token. */
  function renew(): Promise<unknown> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  return {
    keep(next: string): void {
      token = next
    },
    /** How a fresh token is had: the session says it, because reading it is reading who is signed in. */
    readWith(reader: () => Promise<unknown>): void {
      read = reader
    },
    renew,
    /** For the client: writes carry the token. */
    header: () => token !== '' && { 'X-CSRF-Token': token },
    /** A write of the session. When another tab has replaced the token, it is read again and the write sent once more. */
    async askToWrite<T>(send: () => Reply<T>): Promise<T> {
      await reading?.catch(() => {})
      try {
        return await ask(send)
      } catch (error) {
        if (!isRefused(error, 'CSRF_INVALID')) throw error
        await renew()
        return ask(send)
      }
    },
  }
}
