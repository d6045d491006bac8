import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startGatewayProcess } from '../testkit/gateway/gateway-process.ts'
import { freePort } from '../testkit/http/free-port.ts'
import { WechatServer } from '../testkit/payments/wechat-server.ts'
import { openDatabase } from '../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../testkit/store/rig.ts'

/**
 * What forged payment callbacks cost paid calls: npm run bench:callbacks -- [seconds a phase] [rounds]. 500 callbacks a second on 16
 * connections, each with a signature to verify, go to the gateway in one phase and to a server that answers at once in another, so
 * that sending them costs the machine the same in both. A third phase has no flood at all.
 */
const [seconds = '5', rounds = '5'] = process.argv.slice(2)
const perSecond = 500
const connections = 16
const callers = 8
const leastShare = 0.9

const flooder = `
const { Agent, request } = await import('undici')
const { url, host, headers, body, perSecond, connections } = JSON.parse(process.argv[1])
const agent = new Agent({ connections, pipelining: 1 })
let sent = 0, underWay = 0
const statuses = {}
const startedAt = performance.now()
process.on('SIGTERM', () => { console.log(JSON.stringify({ sent, statuses })); process.exit(0) })
setInterval(() => {
  const due = Math.floor((performance.now() - startedAt) / 1000 * perSecond)
  while (sent < due && underWay < connections) {
    sent += 1; underWay += 1
    request(url, { method: 'POST', dispatcher: agent, headers: { ...headers, host }, body })
      .then(async (answer) => { await answer.body.dump(); statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1 })
      .catch(() => { statuses.failed = (statuses.failed ?? 0) + 1 })
      .finally(() => { underWay -= 1 })
  }
}, 2)`

const dataDir = await mkdtemp(join(tmpdir(), 'bench-callbacks-'))
const remove = () => rm(dataDir, { recursive: true, force: true })
const database = { databaseUrl: 'sqlite:', dataDir, remove }
const wechat = await new WechatServer().listen()
const standInPort = await freePort()
const standIn = spawn(
  process.execPath,
  [
    '-e',
    `require('node:http').createServer((incoming, response) => {
      incoming.resume().on('end', () => response.writeHead(401).end('{}'))
    }).listen(${standInPort}, '127.0.0.1', () => console.log('on'))`,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
await once(standIn.stdout, 'data')
await writeFile(join(dataDir, 'wechat.pem'), wechat.platform.publicKey)
const many = { max: 10_000_000, windowSeconds: 60 }
const file = join(dataDir, 'config.json')
const limits = { callsPerKey: many, refusalsPerKey: many }
await writeFile(file, JSON.stringify({ payments: { wechat: wechat.settings(dataDir) }, limits }))
const store = await openDatabase(database)
const rig = createRig(store)
const customer = await createCustomer(rig)
await addCredits(rig, customer.projectId, 10_000_000)
await store.close()
const port = await freePort()
const host = `localhost:${port}`
const gateway = await startGatewayProcess({
  port,
  environment: {
    ...{ GATEWAY_ORIGIN: `http://${host}`, GATEWAY_DATA_DIR: dataDir, DATABASE_URL: 'sqlite:', GATEWAY_CONFIG: file },
    ...{ TEST_WECHAT_KEY: wechat.merchant.privateKey, TEST_WECHAT_V3: wechat.apiV3Key },
    GATEWAY_SECRET: 'the secret of the flood, 32 bytes or more',
  },
})

let made = 0
const agent = new Agent({ connections: callers, pipelining: 1 })
/** Paid calls a second. */
async function measure(): Promise<number> {
  const startedAt = performance.now()
  const endsAt = startedAt + Number(seconds) * 1000
  let done = 0
  const call = async () => {
    while (performance.now() < endsAt) {
      made += 1
      const { statusCode, body } = await request(`http://127.0.0.1:${port}/v1/models/chat`, {
        ...{ method: 'POST', dispatcher: agent, body: '{"provider":"model_provider_a","prompt":"hello"}' },
        headers: {
          ...{ host, 'content-type': 'application/json', authorization: `Bearer ${customer.apiKey}` },
          'idempotency-key': `call ${made}`,
        },
      })
      await body.dump()
      if (statusCode === 200) done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return done / ((performance.now() - startedAt) / 1000)
}

async function during(url: string): Promise<{ rate: number; flood: { sent: number; statuses: object } }> {
  // Right but for the signature, and as old as the run: inside the five minutes.
  const { headers, body } = wechat.callback('pay_00000000000000000000')
  const forged = {
    ...headers,
    'content-type': 'application/json',
    'wechatpay-signature': headers['wechatpay-signature']!.replace(/^.{8}/, 'AAAAAAAA'),
  }
  const options = JSON.stringify({ url, host, headers: forged, body, perSecond, connections })
  const child = spawn(process.execPath, ['--input-type=module', '-e', flooder, options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await delay(300)
  const rate = await measure()
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await exited
  return { rate, flood: JSON.parse(output) }
}

const standInUrl = `http://127.0.0.1:${standInPort}/`
const callbacks = `http://127.0.0.1:${port}/v1/payments/callbacks/wechat`
await measure()
const shares: number[] = []
for (let round = 1; round <= Number(rounds); round += 1) {
  const alone = await measure()
  const elsewhere = await during(standInUrl)
  const flooded = await during(callbacks)
  shares.push(flooded.rate / elsewhere.rate)
  const rates = { alone, elsewhere: elsewhere.rate, flooded: flooded.rate }
  for (const [name, rate] of Object.entries(rates))
    console.log(`round ${round}: ${name} ${Math.round(rate)} calls a second`)
  console.log(`  flood: ${JSON.stringify(flooded.flood)}`)
}
await gateway.kill()
await agent.destroy()
wechat.stop()
standIn.kill()
await remove()
const median = shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)]!
console.log(
  `with the flood, paid calls run at ${median.toFixed(3)} of their rate (median of ${shares.length}, against a flood elsewhere); at least ${leastShare} is wanted`,
)
process.exit(median >= leastShare ? 0 : 1)
