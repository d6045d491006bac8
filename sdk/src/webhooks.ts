import type { WebhookEvent } from './contract.ts'
import { WebhookVerificationError } from './errors.ts'

const toleranceSeconds = 300

/**
 * Verifies a webhook and returns its event. Pass the body as it arrived: parsing and serializing it would change the bytes
 * that were signed.
 */
export async function unwrap(
  body: string | Uint8Array,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    header(headers, name),
  )
  if (!id || !timestamp || !signatures) throw invalid('A header of the webhook is missing.')
  const age = Date.now() / 1000 - Number(timestamp)
  if (!(Math.abs(age) <= toleranceSeconds)) throw invalid('The webhook is older than 5 minutes.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const key = await crypto.subtle.importKey('raw', secretBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  for (const signature of signatures.split(' ')) {
    const [version, value] = signature.split(',')
    if (version !== 'v1' || !value) continue
    const bytes = decoded(value)
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text)
  }
  throw invalid('No signature of the webhook is valid.')
}

function header(headers: Parameters<typeof unwrap>[1], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = decoded(secret.replace(/^whsec_/, ''))
  if (!bytes) throw invalid('The secret is not valid.')
  return bytes
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

const invalid = (message: string) => new WebhookVerificationError({ code: 'WEBHOOK_INVALID', message, status: 0 })
