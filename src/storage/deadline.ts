import { afterPendingInput } from '../after-pending-input.ts'
import { StoreUnavailable } from './engine.ts'

/** A promise that rejects with `StoreUnavailable` after `limitMs`. */
export function deadline(limitMs: number, message: string): { expired: Promise<never>; stop: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const timer = setTimeout(() => afterPendingInput(() => reject(new StoreUnavailable(message))), limitMs)
  return { expired: promise, stop: () => clearTimeout(timer) }
}
