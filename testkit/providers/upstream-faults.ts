import type { UpstreamEvent } from '../../src/providers/outcome.ts'
import { type Behaviour, behaves } from './upstream.ts'

/** One way in which a provider can fail a call that reached it. */
export interface UpstreamFault {
  readonly name: string
  readonly behaviour: Behaviour
  /** The line of the outcome table that it falls under. */
  readonly event: UpstreamEvent
  /** The call ends only when it times out. */
  readonly waits?: true
  /** The provider goes on sending after the status has decided the outcome. */
  readonly keepsSending?: true
}

const statuses = (event: UpstreamEvent, ...codes: number[]): UpstreamFault[] =>
  codes.map((status) => ({ event, name: `a ${status}`, behaviour: behaves.respond(status, { error: 'secret words' }) }))

/** Every test of provider failures reads this table, so that each failure is tested at every layer. */
export const upstreamFaults: readonly UpstreamFault[] = [
  ...[301, 302, 303, 307, 308].map(
    (status): UpstreamFault => ({
      event: 'redirected',
      name: `a ${status} redirect`,
      behaviour: behaves.redirect(status, 'http://127.0.0.1:1/elsewhere'),
    }),
  ),
  { event: 'redirected', name: 'a 304', behaviour: behaves.respond(304, '') },
  ...statuses('rateLimited', 429),
  ...statuses('requestRejected', 400, 413, 422),
  ...statuses('rejected', 401, 403, 404, 409, 418, 499),
  {
    event: 'requestRejected',
    name: 'a 400 whose body never ends',
    behaviour: behaves.hangInBody(400),
    keepsSending: true,
  },
  { event: 'requestRejected', name: 'a 400 with an endless body', behaviour: behaves.flood(400), keepsSending: true },
  ...statuses('failed', 500, 501, 502, 503, 505, 529, 599, 999),
  ...statuses('answeredTimeout', 408, 504),
  { event: 'contractBroken', name: 'malformed JSON', behaviour: behaves.respond(200, '{"items": [') },
  { event: 'contractBroken', name: 'an empty body', behaviour: behaves.respond(200, '') },
  { event: 'contractBroken', name: 'a 204', behaviour: behaves.respond(204, '') },
  {
    event: 'contractBroken',
    name: 'a 204 without a length',
    behaviour: (wire) => void wire.write('HTTP/1.1 204 No Content\r\n\r\n'),
  },
  { event: 'contractBroken', name: 'a JSON array', behaviour: behaves.respond(200, []) },
  { event: 'contractBroken', name: 'a JSON null', behaviour: behaves.respond(200, null) },
  {
    event: 'contractBroken',
    name: 'wrong types',
    behaviour: behaves.respond(200, { choices: 'x', items: 3, links: true, disclosure: {} }),
  },
  {
    event: 'contractBroken',
    name: 'empty values of the wrong type',
    behaviour: behaves.respond(200, { choices: '', items: {}, links: 1, disclosure: [] }),
  },
  { event: 'oversized', name: 'a body over the size limit', behaviour: behaves.flood() },
  { event: 'timedOut', name: 'silence before the headers', behaviour: behaves.hang(), waits: true },
  { event: 'timedOut', name: 'silence within the body', behaviour: behaves.hangInBody(), waits: true },
  { event: 'timedOut', name: 'an endless trickle of bytes', behaviour: behaves.drip(), waits: true },
  { event: 'reset', name: 'a reset', behaviour: behaves.reset() },
  { event: 'reset', name: 'a hang-up', behaviour: behaves.hangUp() },
  { event: 'cutBody', name: 'a body shorter than its length', behaviour: behaves.cutBody() },
  { event: 'cutBody', name: 'a reset within the body', behaviour: behaves.resetInBody() },
  { event: 'cutBody', name: 'half a body without a length', behaviour: behaves.cutUnframedBody() },
  { event: 'cutBody', name: 'a reset within a body without a length', behaviour: behaves.resetUnframedBody() },
  { event: 'garbled', name: 'bytes that are not HTTP', behaviour: behaves.garble() },
  { event: 'garbled', name: 'headers over the size limit', behaviour: behaves.floodHeaders() },
]
