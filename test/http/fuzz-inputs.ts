import { faults, oddities } from './fault-table.ts'
import { goodGet, goodPost, host, post } from './fixture.ts'

export type Random = () => number

/** Mulberry32: the same seed gives the same inputs on every machine. */
export function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const good = [
  goodGet,
  goodPost,
  post('{"a":{"b":[1,2,3]}}', { headers: ['Authorization: Bearer x', 'Idempotency-Key: k'] }),
  post('[]'),
  post('{"text":"GET /v1/ping HTTP/1.1\\r\\nHost: x"}'),
  post(goodGet, { path: '/v1/nowhere' }),
  post('{}', { headers: ['Expect: 100-continue'] }),
  `DELETE /v1/ping HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET /v1/ping?q=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  ...Object.values(oddities),
]
/** Long inputs are rare, to keep the run short. */
const bad = faults.map(({ bytes }) => bytes).filter(({ length }) => length < 4_000)

const fragments = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  '\r\n\r\n',
  '\x7f',
  '\xff',
  '%00',
  '%2f',
  'Content-Length: 0\r\n',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Host: x\r\n',
  `Host: ${host}\r\n`,
  'Connection: close\r\n',
  'Connection: upgrade\r\nUpgrade: h2c\r\n',
  'Expect: 100-continue\r\n',
  ' HTTP/1.1\r\n',
  'HTTP/1.0',
  'GET / HTTP/1.1\r\n',
  '{}',
  '0\r\n\r\n',
]

/** One to six requests as one stream of bytes: valid, faulty, or randomly mutated. */
export function nextGroup(random: Random): string[] {
  return Array.from({ length: 1 + below(random, 6) }, () => {
    const kind = random()
    if (kind < 0.25) return pick(random, good)
    if (kind < 0.35) return pick(random, bad)
    if (kind < 0.4) return noise(random)
    let bytes = pick(random, random() < 0.6 ? good : bad)
    for (let i = 1 + below(random, 3); i > 0; i--) bytes = mutate(random, bytes)
    return bytes
  })
}

/** The same bytes in one to three packets. */
export function packets(random: Random, bytes: string): string[] {
  const cuts = Array.from({ length: below(random, 3) }, () => below(random, bytes.length + 1)).sort((a, b) => a - b)
  return [0, ...cuts].map((start, i) => bytes.slice(start, cuts[i] ?? bytes.length)).filter((part) => part !== '')
}

function mutate(random: Random, bytes: string): string {
  const at = below(random, bytes.length + 1)
  const until = Math.min(bytes.length, at + 1 + below(random, 12))
  switch (below(random, 7)) {
    case 0:
      return bytes.slice(0, at) + String.fromCharCode(below(random, 256)) + bytes.slice(at + 1)
    case 1:
      return bytes.slice(0, at) + pick(random, fragments) + bytes.slice(at)
    case 2:
      return bytes.slice(0, at) + bytes.slice(until)
    case 3:
      return bytes.slice(0, until) + bytes.slice(at)
    case 4:
      return shuffleLine(random, bytes)
    case 5:
      return bytes.replace(/\d+/g, (digits) => (random() < 0.3 ? String(below(random, 100_000)) : digits))
    default:
      return bytes.slice(0, at)
  }
}

function shuffleLine(random: Random, bytes: string): string {
  const lines = bytes.split('\r\n')
  const line = pick(random, lines)
  lines.splice(below(random, lines.length), random() < 0.5 ? 1 : 0, line)
  return lines.join('\r\n')
}

const noise = (random: Random) =>
  Array.from({ length: 1 + below(random, 200) }, () => String.fromCharCode(below(random, 256))).join('')
const below = (random: Random, limit: number) => Math.floor(random() * limit)
const pick = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)]!
