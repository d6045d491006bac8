import type { GatewayResponse } from '../gateways.ts'

export const completions = '/v1/chat/completions'

interface Choice {
  readonly delta?: { readonly content?: string }
  readonly message?: { readonly content?: string }
}

export const isStream = ({ headers }: GatewayResponse): boolean =>
  String(headers['content-type']).startsWith('text/event-stream')

/** What is the same in every response to a call: of a completion its content, whether it was streamed or stored. */
export function contentOf(path: string, response: GatewayResponse): string {
  if (path !== completions) return response.text
  if (!isStream(response)) return partOf(response.body)
  const events = response.text.split('\n\n').flatMap((event) => (event.startsWith('data: {') ? [event.slice(6)] : []))
  return events.map((event) => partOf(JSON.parse(event))).join('')
}

const partOf = ({ choices = [] }: { choices?: readonly Choice[] }): string =>
  choices.map(({ delta, message }) => delta?.content ?? message?.content ?? '').join('')

/** The charge that a response says is in review. */
export function reviewIn(path: string, { status, headers, body, text }: GatewayResponse): string | null {
  if (path !== completions) return status === 202 && path !== '/v1/media/jobs' ? body.chargeId : null
  if (status === 403 && body.error.code === 'MANUAL_REVIEW') return headers['x-charge-id'] ?? null
  return /"code":"MANUAL_REVIEW","charge_id":"([^"]+)"/.exec(text)?.[1] ?? null
}
