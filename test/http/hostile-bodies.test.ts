import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleOperations, operatorOperations } from '../../src/app/features.ts'
import { signMessage } from '../../src/base/signatures.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { prices } from '../../src/contract/prices.ts'
import { pathExampleOf, requestExampleOf } from '../../src/contract/sample.ts'
import { compile, maxJsonDepth } from '../../src/contract/validate.ts'
import { mediaOperations } from '../../src/features/calls/media/operations.ts'
import { startEverydayGateway } from '../../testkit/gateway/everyday-gateway.ts'
import { type HttpResponse, origin } from '../../testkit/gateway/gateway.ts'
import type { OperatorBrowser } from '../../testkit/gateway/operator-browser.ts'
import { providerNames } from '../../testkit/providers/provider-names.ts'
import { httpEngines } from '../../testkit/store/engines.ts'

interface Node {
  readonly type?: string
  readonly enum?: unknown
  readonly const?: unknown
  readonly properties?: Record<string, Node>
  readonly items?: Node
  readonly oneOf?: Node[]
  readonly anyOf?: Node[]
  readonly 'x-error-code'?: string
}

type Path = readonly (string | number)[]

interface Text {
  readonly path: Path
  /** What an invalid one gets; null if the schema names none, or if the example is of another variant. */
  readonly code: string | null
}

/** Every text of a schema. */
function* textsIn(node: Node, example: unknown, path: Path = [], outer: string | null = null): Generator<Text> {
  const code = node['x-error-code'] ?? outer
  if (node.type === 'string' && !node.enum && node.const === undefined) yield { path, code }
  const fields = (example ?? {}) as Record<string, unknown>
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    yield* textsIn(field, fields[name], [...path, name], code)
  }
  if (node.items) yield* textsIn(node.items, fields[0], [...path, 0], code)
  for (const variant of [...(node.oneOf ?? []), ...(node.anyOf ?? [])]) {
    const isOther = Object.entries(variant.properties ?? {}).some(
      ([name, field]) => field.const !== undefined && field.const !== fields[name],
    )
    for (const text of textsIn(variant, example, path, code)) yield isOther ? { ...text, code: null } : text
  }
}

/** A copy of a request whose text at this path has a U+0000 in it. */
function withNul(example: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return typeof example === 'string' ? `${example.slice(0, 1)}\0${example.slice(1)}` : 'a\0b'
  if (typeof step === 'number') {
    const [first, ...others] = (example ?? []) as unknown[]
    return [withNul(first, rest), ...others]
  }
  const fields = (example ?? {}) as Record<string, unknown>
  return { ...fields, [step]: withNul(fields[step], rest) }
}

const callers = [...publicOperations(providerNames), ...consoleOperations, ...mediaOperations(['media_provider_a'], 5)]
const rows = [...callers, ...operatorOperations].flatMap((operation) =>
  operation.request
    ? [...textsIn(operation.request as Node, requestExampleOf(operation))].map((text) => ({
        operation: operation as Operation,
        ...text,
      }))
    : [],
)

const nulRefused = 'A text contains U+0000, which is not accepted here.'

test('a text with U+0000 is refused with the code of its field and words of its own, in every request but those of billable operations', () => {
  expect(rows.length).toBeGreaterThan(40)
  for (const { operation, path, code } of rows.filter(({ operation }) => !(operation.id in prices))) {
    const verdict = compile(operation.request!)(withNul(requestExampleOf(operation), path))
    const refused = { ok: false, ...(code && { code }), message: nulRefused }
    expect.soft(verdict, `${operation.id} ${path.join('.')}`).toMatchObject(refused)
  }
})

const isPlainGet = ({ method, path }: Operation<string, string>) => method === 'GET' && !path.includes('{')

describe.each(httpEngines)('on %s', (engine) => {
  let served: Awaited<ReturnType<typeof startEverydayGateway>>
  beforeAll(async () => {
    served = await startEverydayGateway(engine)
  })
  afterAll(() => served.close())

  const pathOf = ({ path, pathParameters = {} }: Operation) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathExampleOf(pathParameters[name]!))

  function send(operation: Operation, text: string): Promise<HttpResponse> {
    const path = pathOf(operation)
    if (operatorOperations.some(({ id }) => id === operation.id)) return sendRaw(served.admin, path, text)
    const headers = { 'idempotency-key': `hostile ${Math.random()}`, origin }
    if (operation.access === 'key') {
      return served.gateway.send('POST', path, { ...headers, authorization: `Bearer ${served.apiKey}` }, text)
    }
    const own = { cookie: served.payer.cookie!, 'x-csrf-token': served.payer.csrfToken! }
    return served.gateway.send('POST', path, { ...headers, ...own }, text)
  }

  const sendRaw = (operator: OperatorBrowser, path: string, text: string) =>
    operator.send(path, { method: 'POST', body: { toJSON: () => JSON.parse(text) } })

  test.each(rows.map((row) => [`${row.operation.id} ${row.path.join('.')}`, row] as const))(
    'U+0000 in %s is refused, or served where only JSON keeps it',
    async (_, { operation, path }) => {
      const response = await send(operation, JSON.stringify(withNul(requestExampleOf(operation), path)))
      expect(response.text).not.toContain('INTERNAL_ERROR')
      expect(response.status).toBeLessThan(500)
      if (operation.id in prices) return
      expect(response.status).toBeGreaterThanOrEqual(400)
      if (response.status === 400) expect(response.body.error.message).toBe(nulRefused)
    },
  )

  /** Whatever the text is; the operator's browser sends only what `JSON.stringify` can write. */
  async function sendText(path: string, text: string) {
    const response = await fetch(`http://${served.admin.host}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: served.admin.cookie!,
        origin: `http://${served.admin.host}`,
        'x-csrf-token': served.admin.csrfToken!,
      },
      body: text,
    })
    return { status: response.status, body: (await response.json()) as { error: { code: string } } }
  }

  test('U+0000 in a query is refused', async () => {
    for (const { path, queryParameters = {} } of [...callers, ...operatorOperations].filter(isPlainGet)) {
      for (const [name, { type }] of Object.entries<Node>(queryParameters)) {
        const target = `${path}?${name}=a%00b`
        const isOperator = operatorOperations.some((operation) => operation.path === path)
        const { status, body } = await (isOperator ? served.admin.get(target) : served.payer.get(target))
        expect.soft([400, 401], target).toContain(status)
        if (status === 400 && type === 'string') expect.soft(body.error.message, target).toBe(nulRefused)
      }
    }
  })

  /** As raw text: `JSON.stringify` could not write it. */
  const nested = (levels: number) => `{"prompt":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

  test.each([maxJsonDepth, maxJsonDepth + 1, 30_000])(
    'a body of %i levels is a bad request everywhere',
    async (levels) => {
      const text = nested(levels)
      const key = { authorization: `Bearer ${served.apiKey}` }
      const own = { cookie: served.payer.cookie!, 'x-csrf-token': served.payer.csrfToken!, origin }
      const id = `msg_${levels}`
      const at = Math.floor(Date.now() / 1000)
      const signed = {
        'webhook-id': id,
        'webhook-timestamp': String(at),
        'webhook-signature': signMessage({ secret: served.callbackSecret, id, timestamp: at, body: text }),
      }
      const responses = {
        public: await served.gateway.send('POST', '/v1/auth/login', { origin }, text),
        business: await served.gateway.send('POST', '/v1/models/chat', { ...key, 'idempotency-key': id }, text),
        media: await served.gateway.send('POST', '/v1/media/jobs', { ...key, 'idempotency-key': id }, text),
        console: await served.gateway.send('POST', '/v1/keys', own, text),
        operator: await sendText('/api/me/password', text),
        callback: await served.gateway.send('POST', '/v1/media/callbacks/media_provider_a', signed, text),
      }
      for (const [surface, { status }] of Object.entries(responses)) expect.soft(status, surface).toBe(400)
      if (levels <= maxJsonDepth) return
      for (const [surface, { body }] of Object.entries(responses)) {
        const message = `The body is nested more than ${maxJsonDepth} deep.`
        expect.soft(body.error, surface).toMatchObject({ code: 'INVALID_JSON', message })
      }
    },
  )
})
