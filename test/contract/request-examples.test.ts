import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signMessage } from '../../src/base/signatures.ts'
import { Browser } from '../../testkit/gateway/browser.ts'
import { startEverydayGateway } from '../../testkit/gateway/everyday-gateway.ts'
import { type HttpResponse, origin } from '../../testkit/gateway/gateway.ts'
import { type OperatorBrowser, signedInOperator } from '../../testkit/gateway/operator-browser.ts'
import { httpEngines } from '../../testkit/store/engines.ts'

interface Described {
  readonly operationId: string
  readonly security: readonly Record<string, string[]>[]
  readonly parameters: readonly { readonly name: string; readonly example?: string }[]
  readonly requestBody?: { readonly content: Record<string, { readonly example: object }> }
}

interface Example {
  readonly id: string
  readonly path: string
  readonly scheme: string | undefined
  readonly body: object
}

/** The examples of a document as it is served. */
function examplesOf(paths: Record<string, Record<string, Described>>): Example[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ operationId, security, parameters, requestBody }) => {
      if (!requestBody) return []
      const exampleOf = (name: string) => parameters.find((row) => row.name === name)!.example!
      return {
        id: operationId,
        path: path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(exampleOf(name))),
        scheme: Object.keys(security[0] ?? {})[0],
        body: requestBody.content['application/json']!.example,
      }
    }),
  )
}

/** An example cannot hold a code that was sent, or what a passkey has signed: the codes of a wrong one. */
const wrongProofs = ['VERIFICATION_FAILED', 'PASSKEY_FAILED', 'SECOND_FACTOR_FAILED']

const isSignedOut = ({ status, body }: HttpResponse) => status === 401 && body.error.code === 'GATEWAY_AUTH_REQUIRED'

describe.each(httpEngines)('the request examples of the documents on %s', (engine) => {
  let served: Awaited<ReturnType<typeof startEverydayGateway>>
  let payer: Browser
  let admin: OperatorBrowser

  beforeAll(async () => {
    served = await startEverydayGateway(engine)
    ;({ payer, admin } = served)
  })
  afterAll(() => served.close())

  async function newPayer() {
    payer = new Browser(served.gateway)
    await payer.register()
  }
  let admins = 0
  async function newAdmin() {
    admins += 1
    admin = await signedInOperator(served.gateway, `admin-${admins}`, 'admin')
  }

  function credentialsOf({ id, scheme, body }: Example): Record<string, string> {
    if (scheme === 'key') return { authorization: `Bearer ${served.apiKey}` }
    if (scheme === 'session') return { cookie: payer.cookie!, 'x-csrf-token': payer.csrfToken! }
    if (id !== 'media.callbacks.receive') return {}
    const at = Math.floor(Date.now() / 1000)
    const message = { secret: served.callbackSecret, id: 'msg_1', timestamp: at, body: JSON.stringify(body) }
    return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': signMessage(message) }
  }

  const sendAsCaller = (example: Example): Promise<HttpResponse> =>
    served.gateway.send(
      'POST',
      example.path,
      { origin, 'idempotency-key': `example of ${example.id}`, ...credentialsOf(example) },
      JSON.stringify(example.body),
    )

  /** Sends every example, and returns those that are refused as bad requests. Some end the session: the next gets a new one. */
  async function refusedOf(
    examples: Example[],
    send: (example: Example) => Promise<HttpResponse>,
    signIn: () => Promise<void>,
  ) {
    const refused: string[] = []
    for (const example of examples) {
      let response = await send(example)
      if (isSignedOut(response)) {
        await signIn()
        response = await send(example)
      }
      const isRefused = response.status === 400 && !wrongProofs.includes(response.body.error.code)
      if (isRefused || isSignedOut(response))
        refused.push(`${example.id}: ${response.text} for ${JSON.stringify(example.body)}`)
    }
    return refused
  }

  test.each(['/openapi.json', '/console/openapi.json', '/media/openapi.json', '/openai/openapi.json'])(
    'every request example of %s is accepted',
    async (path) => {
      const examples = examplesOf((await served.gateway.send('GET', path)).body.paths)
      expect(examples.length).toBeGreaterThan(0)
      expect(await refusedOf(examples, sendAsCaller, newPayer)).toEqual([])
    },
  )

  test('every request example of the operator listener is accepted', async () => {
    const examples = examplesOf((await admin.get('/openapi.json')).body.paths)
    expect(examples.length).toBeGreaterThan(20)
    expect(await refusedOf(examples, ({ path, body }) => admin.post(path, body), newAdmin)).toEqual([])
  })

  test('the document of what a key may read has no requests with a body', async () => {
    expect(examplesOf((await served.gateway.send('GET', '/key/openapi.json')).body.paths)).toEqual([])
  })
})
