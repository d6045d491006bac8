import { now } from '../base/clock.ts'
import { STATUS_CODES } from '../base/node-http.ts'
import type { RouteResponse } from './route.ts'

export const jsonType = 'application/json; charset=utf-8'

/** Headers of every response; a route can override them. */
export function commonHeaders(origin: URL): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(origin.protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/** A complete error response as text, for requests that are refused before Node creates a response object. */
export function refusalBytes({ status, headers = {}, body: value }: RouteResponse, isHead: boolean): string {
  const body = JSON.stringify(value)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-type: ${jsonType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `date: ${new Date(now()).toUTCString()}`,
    'connection: close',
  ]
  return `${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`
}
