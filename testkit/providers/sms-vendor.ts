import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface VendorRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface VendorReply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface SmsVendor {
  readonly url: string
  readonly host: string
  readonly requests: VendorRequest[]
  /** Undefined: it never replies. */
  reply: ((request: VendorRequest) => VendorReply) | undefined
  readonly close: () => Promise<void>
}

/** A real HTTP server on loopback in place of a vendor. */
export async function startSmsVendor(): Promise<SmsVendor> {
  const server = createServer(async (incoming: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(incoming.url!, 'http://vendor')
    const request = { path: pathname, query: searchParams, headers: incoming.headers, body: await text(incoming) }
    vendor.requests.push(request)
    if (!vendor.reply) return
    const { status = 200, headers = {}, body = '' } = vendor.reply(request)
    response.writeHead(status, headers).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const vendor: SmsVendor = {
    url: `http://${host}`,
    host,
    requests: [],
    reply: () => ({}),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return vendor
}

/** Checks the signature as the vendor's documentation describes it, from what arrived. Written apart from the adapters. */
export const isSigned = {
  standardWebhook({ headers, body }: VendorRequest, secret: Buffer): boolean {
    const toSign = [headers['webhook-id'], headers['webhook-timestamp'], body].join('.')
    const expected = createHmac('sha256', secret).update(toSign).digest('base64')
    return String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`)
  },
  aliyun({ path, query, headers, body }: VendorRequest, secret: string): boolean {
    const [, names, signature] = /SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(headers.authorization!)!
    const parameters = [...query]
      .map((pair) => pair.map((part) => encodeURIComponent(part)).join('='))
      .sort()
      .join('&')
    const lines = names!.split(';').map((name) => `${name}:${headers[name]}\n`)
    const request = `POST\n${path}\n${parameters}\n${lines.join('')}\n${names}\n${digest(body)}`
    return signature === hmac(secret, `ACS3-HMAC-SHA256\n${digest(request)}`).toString('hex')
  },
  tencent({ path, headers, body }: VendorRequest, secret: string): boolean {
    const pattern = /^TC3-HMAC-SHA256 Credential=[^/]+\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/
    const [, scope, names, signature] = pattern.exec(headers.authorization!)!
    const lines = names!.split(';').map((name) => `${name}:${String(headers[name]).toLowerCase()}\n`)
    const request = `POST\n${path}\n\n${lines.join('')}\n${names}\n${digest(body)}`
    const toSign = `TC3-HMAC-SHA256\n${headers['x-tc-timestamp']}\n${scope}\n${digest(request)}`
    const [date, service, end] = scope!.split('/')
    const key = hmac(hmac(hmac(`TC3${secret}`, date!), service!), end!)
    return signature === hmac(key, toSign).toString('hex')
  },
}

const digest = (value: string) => createHash('sha256').update(value).digest('hex')
const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest()
