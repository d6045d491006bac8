declare global {
  /** By path and query; null where the gateway could not be reached. */
  var earlyReads: Map<string, Promise<Response | null>> | undefined
}

/** Sends a request, unless send-early-reads.js has sent the same before the application was there. Each is used once. */
export async function fetchOrTakeEarly(request: Request, init: RequestInit): Promise<Response> {
  if (request.method !== 'GET') forgetEarlyReads()
  const { pathname, search } = new URL(request.url)
  const path = pathname + search
  const early = globalThis.earlyReads?.get(path)
  globalThis.earlyReads?.delete(path)
  return (await early) ?? fetch(request, init)
}

/** What was read for one session, or before anything was written, is not shown later. */
export function forgetEarlyReads(): void {
  globalThis.earlyReads?.clear()
}
