import { once } from 'node:events'
import { globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemTimers, useTimers } from '../../src/base/timers.ts'
import { LiveBody } from '../../src/http/live-body.ts'
import { type Call, type Route, StreamedBody } from '../../src/http/route.ts'
import { createHttpServer } from '../../src/http/server.ts'
import type { Exchange } from '../../src/http/transport/exchange.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { mediaFile, mediaOf } from '../../testkit/gateway/media-customer.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { type FakeMediaProvider, startMediaProvider } from '../../testkit/providers/media-provider.ts'
import { engines } from '../../testkit/store/engines.ts'

type Moment = 'before the first byte' | 'in the middle' | 'at the end'

/** How long a streamed body may take at most. */
const longestMs = 600_000
const chat = JSON.stringify({ stream: true, model: 'local-small', messages: [{ role: 'user', content: 'hello' }] })

describe.each(engines)('a streamed body that its client resets, on %s', (engine) => {
  let provider: FakeMediaProvider
  let gateway: Gateway
  let customer: PayingCustomer
  let paths: Record<'kept' | 'proxied', string>
  let moment: Moment = 'at the end'
  let begun = Promise.withResolvers<void>()
  const sources: Readable[] = []
  const atDeadline: (() => void)[] = []
  const uncaught: unknown[] = []
  const noteUncaught = (error: unknown) => uncaught.push(error)

  beforeAll(async () => {
    process.on('uncaughtException', noteUncaught)
    useTimers({
      ...systemTimers,
      after(ms, work) {
        if (ms === longestMs) atDeadline.push(work)
        return systemTimers.after(ms, work)
      },
    })
    provider = await startMediaProvider()
    gateway = await startGateway({
      engine,
      file: mediaFile(provider),
      environment: { MEDIA_CALLBACK_SECRET: 'whsec_YSBzZWNyZXQgb2YgYXQgbGVhc3QgMjQgYnl0ZXM=' },
      createServer: (options) => createHttpServer({ ...options, routes: options.routes.map(watched) }),
    })
    customer = await PayingCustomer.join(gateway)
    await customer.call('model.chat', { prompt: 'hello' })
    const [kept, proxied] = [await clip(), await clip()]
    await rm(join(gateway.database.dataDir, 'media', `${proxied}.mp4`))
    paths = { kept: `media/jobs/${kept}/content`, proxied: `media/jobs/${proxied}/content` }
  })
  afterEach(() => {
    moment = 'at the end'
    sources.length = 0
  })
  afterAll(async () => {
    await gateway.stop()
    await provider.close()
    useTimers(systemTimers)
    process.off('uncaughtException', noteUncaught)
  })

  async function clip(): Promise<string> {
    const media = mediaOf(customer)
    const { jobId } = (await media.create('a clip')).body
    await media.becomes(jobId, 'completed')
    return jobId
  }

  /** Makes the moment certain: waits until the client has left, or sends one piece and never asks for another. */
  function watched(route: Route): Route {
    return {
      ...route,
      async handle(call) {
        const response = await route.handle(call)
        const { body } = response
        if (body instanceof LiveBody) {
          if (moment === 'before the first byte') await departure(call)
          return response
        }
        if (!(body instanceof StreamedBody)) return response
        const open = async () => {
          const source = await body.open()
          sources.push(source)
          if (moment === 'before the first byte') await departure(call)
          if (moment === 'in the middle') takeOnePiece(call as Exchange)
          return source
        }
        return { ...response, body: new StreamedBody(body.bytes, open) }
      },
    }
  }

  async function departure(call: Call): Promise<void> {
    const left = new Promise<void>((resolve) => call.watchDelivery((isDelivered) => !isDelivered && resolve()))
    begun.resolve()
    await left
  }

  function takeOnePiece({ response }: Exchange): void {
    const { write } = response
    response.write = ((...args: Parameters<typeof write>) => {
      write.apply(response, args)
      return false
    }) as typeof write
  }

  function send(path: string, more: Record<string, string> = {}, body = ''): Socket {
    const headers = {
      host: 'localhost:8787',
      ...(path.includes('console')
        ? { cookie: customer.browser.cookie! }
        : { authorization: `Bearer ${customer.apiKey}` }),
      ...(body !== '' && { 'content-type': 'application/json', 'content-length': String(body.length) }),
      ...more,
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const socket = connect(gateway.app.public.port, '127.0.0.1').on('error', () => {})
    socket.write([`${body === '' ? 'GET' : 'POST'} /v1/${path} HTTP/1.1`, ...lines, '', body].join('\r\n'))
    return socket
  }

  const isWhole = (text: string) => {
    const [head, body] = [text.slice(0, text.indexOf('\r\n\r\n')), text.slice(text.indexOf('\r\n\r\n') + 4)]
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    return head !== '' && (length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length))
  }
  const hasBegun = (text: string) => (text.split(/\r\n\r\n/, 2)[1] ?? '') !== ''

  /** Resets the connection at the moment; a refusal fails the test. */
  async function leave(socket: Socket): Promise<void> {
    let text = ''
    const arrived = new Promise<void>((resolve) =>
      socket.on('data', (bytes) => {
        text += bytes.toString('latin1')
        if (moment === 'in the middle' ? hasBegun(text) : isWhole(text)) resolve()
      }),
    )
    await Promise.race([arrived, begun.promise])
    expect(text.slice(0, 12)).toMatch(/^$|HTTP\/1.1 20[06]/)
    const closed = once(socket, 'close')
    socket.resetAndDestroy()
    await closed
  }

  const openClips = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith('.mp4')
      } catch {
        return false
      }
    }).length

  const month = new Date().toISOString().slice(0, 7)
  const gzip = { 'accept-encoding': 'gzip' }
  const bodies = [
    ['the usage as CSV', () => send('console/usage.csv')],
    ['the usage as CSV, compressed', () => send('console/usage.csv', gzip)],
    ['the ledger as CSV', () => send('console/ledger.csv')],
    ['the ledger as CSV, compressed', () => send('console/ledger.csv', gzip)],
    ['the entries of a statement', () => send(`console/statements/${month}.jsonl`)],
    ['the entries of a statement, compressed', () => send(`console/statements/${month}.jsonl`, gzip)],
    ['a clip that is kept', () => send(paths.kept)],
    ['a part of it', () => send(paths.kept, { range: 'bytes=1000-4999' })],
    ['a clip of the provider', () => send(paths.proxied)],
    ['a part of it', () => send(paths.proxied, { range: 'bytes=1000-4999' })],
    ['a clip in the console', () => send(`console/${paths.kept}`)],
    ['a clip of the provider in the console', () => send(`console/${paths.proxied}`)],
    ['a completion', () => send('chat/completions', {}, chat)],
  ] as const

  test.each(bodies)('%s: nothing stays open, and the process goes on', async (_, ask) => {
    // More often than a project has slots.
    for (const when of ['before the first byte', 'in the middle', 'at the end'] as const) {
      for (let times = 0; times < 3; times += 1) {
        moment = when
        begun = Promise.withResolvers()
        await leave(ask())
        await expect.poll(() => sources.filter((source) => !source.closed).length).toBe(0)
      }
    }
    expect(openClips()).toBe(0)
    for (const expire of atDeadline.splice(0)) expire()
    await new Promise(setImmediate)
    expect(uncaught).toEqual([])
    expect(gateway.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
  })
})

test('every maker of streamed bodies is tried', () => {
  const folder = join(import.meta.dirname, '../../src')
  const makers = globSync('**/*.ts', { cwd: folder })
    .filter((file) => /new (Streamed|Live)Body\(/.test(readFileSync(join(folder, file), 'utf8')))
    .sort()
  expect(makers).toEqual([
    'features/calls/media/routes.ts',
    'features/calls/openai/completions.ts',
    'features/records/reports/routes.ts',
    'features/records/transparency/receipts/feature.ts',
    // Compresses what the others make.
    'http/static/compress.ts',
  ])
})
