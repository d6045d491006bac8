import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, fetch } from 'undici'

/** Programs that run at the client's address: the relay for SMS, a customer who registers, and one who calls all the time. */
const [program, ...args] = process.argv.slice(2) as [keyof typeof programs, ...string[]]
const origin = 'https://gateway.example'

const programs = {
  /** Appends each message to a file. */
  async relay(file: string) {
    createServer(async (request, response) => {
      appendFileSync(file, `${await new Response(request).text()}\n`)
      response.writeHead(204).end()
    }).listen(8025)
    console.log('listening')
  },

  /** Prints the project and a key. */
  async register(certificate: string, address: string, smsFile: string) {
    const send = sender(certificate, address)
    const phone = '13800138000'
    const { challengeId } = (await send('/v1/auth/send-code', { phone })).body
    const code = () => /"code":"(\d+)"/.exec(existsSync(smsFile) ? readFileSync(smsFile, 'utf8') : '')?.[1]
    while (code() === undefined) await delay(50)
    const account = {
      ...{ phone, challengeId, verificationCode: code(), recoveryEmail: 'owner@customer.example' },
      password: 'correct horse battery staple',
    }
    const { body, cookie } = await send('/v1/auth/register', account)
    const session = { cookie, 'x-csrf-token': body.csrfToken }
    const key = (await send('/v1/keys', { scopes: ['models:invoke'] }, session)).body
    console.log(JSON.stringify({ project: body.project.projectId, key: key.apiKey }))
  },

  /** Calls through all addresses in turn until the file `stop` exists; prints how many calls ended with each status. */
  async load(certificate: string, addresses: string, key: string, stop: string) {
    const senders = addresses.split(',').map((address) => sender(certificate, address))
    const counts: Record<string, number> = {}
    const client = async (first: number) => {
      for (let i = first; !existsSync(stop); i += 1) {
        const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
        const call = senders[i % senders.length]!('/v1/models/chat', { prompt: 'hello' }, headers)
        const status = await call.then(
          (response) => `${response.status}`,
          (error) => `${error.cause ?? error}`,
        )
        counts[status] = (counts[status] ?? 0) + 1
        await delay(50)
      }
    }
    await Promise.all([client(0), client(1), client(2), client(3)])
    console.log(JSON.stringify(counts))
  },
}

/** Connects to one address, whatever the name of the origin leads to. */
function sender(certificate: string, address: string) {
  const lookup = (_: string, __: object, done: (...found: unknown[]) => void) => done(null, [{ address, family: 4 }])
  const dispatcher = new Agent({ connect: { ca: readFileSync(certificate), lookup: lookup as never } })
  return async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      dispatcher,
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
    return { status: response.status, cookie, body: (await response.json()) as any }
  }
}

await (programs[program] as (...args: string[]) => Promise<void>)(...args)
