import { Refusal } from '../../../contract/errors.ts'
import type { Call } from '../../../http/route.ts'

/** Far more than a program reads at once; without a limit, one key could fill the memory with what no one reads. */
export const maxStreamsPerKey = 64

export type OpenStreams = ReturnType<typeof createOpenStreams>

/** Counts the streams of each key until their response was delivered or its client is gone. */
export function createOpenStreams() {
  const ofKey = new Map<string, number>()
  let running = 0

  function leave(keyId: string): void {
    const left = ofKey.get(keyId)! - 1
    if (left > 0) ofKey.set(keyId, left)
    else ofKey.delete(keyId)
  }

  return {
    /** How many are still being made. */
    running: () => running,
    /** Refuses a stream too many. `ended` says that nothing more is made. */
    enter(call: Pick<Call, 'watchDelivery'>, keyId: string): { readonly ended: () => void } {
      const open = ofKey.get(keyId) ?? 0
      if (open >= maxStreamsPerKey) {
        const explain = `This key has ${open} open streams, which is the most it can have.`
        throw new Refusal('RATE_LIMITED', { explain, retryAfterSeconds: 1 })
      }
      ofKey.set(keyId, open + 1)
      running += 1
      let unfinished = 2
      const finish = () => {
        unfinished -= 1
        if (unfinished === 0) leave(keyId)
      }
      call.watchDelivery(finish)
      return {
        ended() {
          running -= 1
          finish()
        },
      }
    },
  }
}
