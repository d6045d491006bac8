import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Gateway, origin } from '../../../../testkit/gateway/gateway.ts'
import { sharedGateway } from '../../../../testkit/gateway/shared-gateway.ts'
import { RawConnection } from '../../../../testkit/http/raw-http.ts'

const length = 'Content-Length: 2'
const many = Array.from({ length: 101 }, (_, at) => `x-${at}: y`)

/** Requests that are refused before they are routed. */
const refused = {
  REQUEST_HEADERS_INVALID: [length, 'x-name: é'],
  REQUEST_HEADERS_TOO_LARGE: [length, ...many],
  TRANSFER_ENCODING_UNSUPPORTED: ['Transfer-Encoding: chunked'],
  CONTENT_LENGTH_INVALID: ['Content-Length: 02'],
  PAYLOAD_TOO_LARGE: ['Content-Length: 99999999'],
  HOST_NOT_ALLOWED: [length, 'Host: other.example'],
  HTTP_VERSION_UNSUPPORTED: [length],
} as const
type Code = keyof typeof refused

/** What the parser of Node refuses itself. */
const malformed = {
  REQUEST_HEADERS_INVALID: [length, 'no header'],
  REQUEST_HEADERS_TOO_LARGE: [length, `x-long: ${'y'.repeat(20_000)}`],
  TRANSFER_ENCODING_UNSUPPORTED: [length, 'Transfer-Encoding: chunked'],
  CONTENT_LENGTH_INVALID: ['Content-Length: two'],
} as const

const { host } = new URL(origin)

describe('a request that is refused before it is routed', () => {
  let gateway: Gateway
  let pathsOf: Record<string, Record<string, { responses: Record<string, object> }>>
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  beforeAll(async () => {
    gateway = await sharedGateway()
    const { body: document } = await gateway.send('GET', '/openai/openapi.json')
    pathsOf = document.paths
    ajv.addSchema({ $id: 'served', ...document })
  })
  afterAll(() => gateway.stop())

  async function ask(method: string, target: string, lines: readonly string[], version = '1.1') {
    const connection = await RawConnection.open({ port: gateway.app.public.port })
    const hosts = lines.some((line) => line.startsWith('Host:')) ? [] : [`Host: ${host}`]
    connection.send(`${[`${method} ${target} HTTP/${version}`, ...hosts, ...lines].join('\r\n')}\r\n\r\n{}`)
    const response = (await connection.next())!
    connection.destroy()
    return { ...response, error: JSON.parse(response.body).error }
  }

  function expectDocumented(path: string, method: string, { status, body }: { status: number; body: string }) {
    expect(Object.keys(pathsOf[path]![method]!.responses)).toContain(String(status))
    const at = `served#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}/responses/${status}`
    const check = ajv.compile({ $ref: `${at}/content/application~1json/schema` })
    expect(check(JSON.parse(body)), `${body} ${ajv.errorsText(check.errors)}`).toBe(true)
  }

  const rows = [refused, malformed].flatMap((table) => Object.entries(table) as [Code, readonly string[]][])

  it.each(rows)(
    'a request of an OpenAI client gets %s in the shape of its protocol, as documented',
    async (code, lines) => {
      const version = code === 'HTTP_VERSION_UNSUPPORTED' ? '1.0' : '1.1'
      const response = await ask('POST', '/v1/chat/completions', lines, version)
      const type = response.status === 505 ? 'server_error' : 'invalid_request_error'
      expect(response.error).toMatchObject({ code, type, param: null })
      expect(response.headers.get('x-should-retry')).toBe('false')
      expectDocumented('/v1/chat/completions', 'post', response)
      const preview = await ask('POST', '/gateway/api/chat/completions', lines, version)
      expect(preview.error).toEqual(response.error)
      const other = await ask('POST', '/v1/responses', lines, version)
      expect(other.error.type).toBe(type)
    },
  )

  it('a request of an OpenAI client for a model gets that shape, too, and so does a wrong method', async () => {
    const read = await ask('GET', '/v1/models/a', [length])
    expect(read.error).toMatchObject({ code: 'CONTENT_LENGTH_INVALID', type: 'invalid_request_error' })
    expectDocumented('/v1/models/{id}', 'get', read)
    const method = await ask('GET', '/v1/chat/completions', [])
    expect(method.status).toBe(405)
    expect(method.error).toMatchObject({ code: 'METHOD_NOT_ALLOWED', type: 'invalid_request_error' })
    expect(method.headers.get('allow')).toBe('POST')
  })

  it('a request whose path is not known gets the plain envelope, as documented', async () => {
    const connection = await RawConnection.open({ port: gateway.app.public.port })
    connection.send('nonsense\r\n\r\n')
    const response = (await connection.next())!
    connection.destroy()
    expect(Object.keys(JSON.parse(response.body).error)).toEqual(['code', 'message'])
    for (const [path, methods] of Object.entries(pathsOf))
      for (const method of Object.keys(methods)) expectDocumented(path, method, response)
  })

  it.each(rows)('a request of the native operations gets %s in the plain envelope', async (code, lines) => {
    const version = code === 'HTTP_VERSION_UNSUPPORTED' ? '1.0' : '1.1'
    for (const path of ['/v1/models/chat', '/v1/auth/login', '/v1/media/jobs', '/nowhere']) {
      const { error } = await ask('POST', path, lines, version)
      expect(error).toEqual({ code, message: expect.any(String) })
    }
  })

  it.each(['/%zz', '/v1/models/%zz', '/v1/models/%00', '//v1/models', '*', 'http://x/v1/models', '/v1/models/../me'])(
    'a request with the unsafe target %s is refused as such',
    async (target) => {
      const { error } = await ask('GET', target, [])
      expect(error.code).toBe('REQUEST_TARGET_INVALID')
    },
  )
})
