import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** Logins that are refused, each from another address and for another account, in a process of their own. */
export interface LoginAttack {
  /** Wrong passwords have to be checked; a malformed login is refused before. */
  readonly kind: 'wrong passwords' | 'malformed'
  readonly port: number
  readonly origin: string
  readonly connections: number
}

const { kind, port, origin, connections }: LoginAttack = JSON.parse(process.argv[2]!)
const agent = new Agent({ connections, headersTimeout: 60_000 })
const statuses: Record<string, number> = {}
let made = 0

async function keepTrying(): Promise<void> {
  for (;;) {
    made += 1
    const identifier = String(13_000_000_000 + Math.floor(Math.random() * 1e9))
    const address = `10.${(made >> 16) & 255}.${(made >> 8) & 255}.${made & 255}`
    const status = await request(`http://127.0.0.1:${port}/v1/auth/login`, {
      method: 'POST',
      dispatcher: agent,
      headers: { host: new URL(origin).host, origin, 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(kind === 'malformed' ? { identifier } : { identifier, password: `wrong password ${made}` }),
    }).then(
      async ({ statusCode, body }) => {
        await body.dump()
        return statusCode
      },
      (error: Error) => error.message,
    )
    statuses[status] = (statuses[status] ?? 0) + 1
    if (status === 429 || status === 400) await delay(100)
  }
}

for (let i = 0; i < connections; i += 1) void keepTrying()
process.on('SIGTERM', () => {
  process.stdout.write(JSON.stringify(statuses))
  process.exit()
})
