import { StoreUnavailable } from '../engine.ts'

/** Rejects when a transaction has been open for too long; its handle is dead from then on. */
export function deadline(limitMs: number): { expired: Promise<never>; stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const timer = setTimeout(
    () => reject(new StoreUnavailable(`a transaction was open for ${limitMs} ms and was rolled back`)),
    limitMs,
  )
  return { expired: promise, stop: () => clearTimeout(timer) }
}
