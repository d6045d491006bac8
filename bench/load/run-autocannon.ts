import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { percentile } from '../statistics.ts'
import type { LoadOptions, LoadPlan } from './load.ts'

/** Runs as its own process: one autocannon run as planned in the given file. Its last line of output is the result. */
type Run = Promise<Outcome> & {
  on(event: 'response', listener: (client: object, status: number, bytes: number, ms: number) => void): void
}
interface Outcome {
  readonly duration: number
  readonly errors: number
  readonly timeouts: number
}
type Autocannon = (options: object) => Run

const { plan, options } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as {
  plan: LoadPlan
  options: LoadOptions
}
const autocannon = createRequire(new URL('../peers/package.json', import.meta.url))('autocannon') as Autocannon

let sent = 0
function setupRequest(request: object): object {
  const { bearers, intents } = plan
  const users = Math.max(bearers.length, 1)
  const number = intents.stored === null ? sent + 1 : (Math.floor(sent / users) % intents.stored) + 1
  const authorization = bearers.length === 0 ? {} : { authorization: `Bearer ${bearers[sent % users]}` }
  sent += 1
  return { ...request, headers: { ...plan.headers, ...authorization, 'idempotency-key': intents.prefix + number } }
}

const { method, path, body } = plan
const run = autocannon({
  url: plan.origin,
  connections: options.connections,
  duration: options.seconds,
  timeout: 10,
  requests: [{ method, path, setupRequest, ...(body !== null && { body }) }],
})
const latencies: number[] = []
let refused = 0
let received = 0
run.on('response', (_, status, bytes, ms) => {
  latencies.push(ms)
  received += bytes
  if (status >= 400) refused += 1
})
const { duration, errors } = await run
console.log(
  JSON.stringify({
    requests: latencies.length,
    seconds: duration,
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    refused,
    // Time-outs are among the errors.
    broken: errors,
    bytes: received,
  }),
)
process.exit(0)
