import { maskAddress } from '../../../base/addresses.ts'
import { browserOf } from '../../../contract/browser-names.ts'
import type { Call } from '../../../http/route.ts'

/** Where a session was opened, for its owner to recognize; nothing that identifies one machine. */
export interface SessionClient {
  /** Such as `Firefox, Linux`; the text that names them is not stored. */
  readonly browser: string | null
  /** Such as `203.0.113.x`. */
  readonly network: string | null
}

export function clientOf(call: Call): SessionClient {
  const userAgent = call.header('user-agent')
  return {
    browser: typeof userAgent === 'string' ? null : browserOf(userAgent.value),
    network: maskAddress(call.requester.address),
  }
}
