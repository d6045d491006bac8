import { waitMs } from './ask.ts'

declare global {
  /** By path and query; null if the gateway could not be reached. */
  var earlyReads: Map<string, Promise<Response | null>> | undefined
}

/** Sends a request, unless send-early-reads.js has already sent it. Each early response is used once. */
export async function fetchOrTakeEarly(request: Request, init: RequestInit): Promise<Response> {
  if (request.method !== 'GET') forgetEarlyReads()
  const { pathname, search } = new URL(request.url)
  return (await takeEarly(pathname + search)) ?? fetch(request, init)
}

/** The same for a public document. */
export const readOrTakeEarly = async (path: string): Promise<Response> =>
  (await takeEarly(path)) ?? fetch(path, { signal: AbortSignal.timeout(waitMs) })

function takeEarly(path: string): Promise<Response | null> | undefined {
  const early = globalThis.earlyReads?.get(path)
  globalThis.earlyReads?.delete(path)
  return early
}

/** Drops responses that belong to another session or precede a write. */
export function forgetEarlyReads(): void {
  globalThis.earlyReads?.clear()
}
