import { request } from 'undici'
import { expect } from 'vitest'
import { operatorOperations } from '../../src/app/features.ts'
import { codeAt } from '../../src/base/totp.ts'
import { operatorApiErrors } from '../../src/contract/error-codes/operators.ts'
import { ErrorEnvelope } from '../../src/contract/field.ts'
import { compile } from '../../src/contract/validate.ts'
import type { OperatorOperation } from '../../src/operator-kit/operation.ts'
import type { OperatorRole } from '../../src/operator-kit/roles.ts'
import { type Gateway, type HttpResponse, testSecret } from './gateway.ts'
import { runCommand } from './run-command.ts'

export const operatorPassword = 'a better password of an operator'

export interface Sent {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Record<string, string>
  readonly body?: object | undefined
}

/** An operator at the console: keeps the cookie and the CSRF token like a browser. */
export class OperatorBrowser {
  readonly gateway: Gateway
  readonly host: string
  cookie: string | undefined
  csrfToken: string | undefined

  constructor(gateway: Gateway) {
    this.gateway = gateway
    this.host = `127.0.0.1:${gateway.app.operator!.port}`
  }

  get = (path: string, headers: Record<string, string> = {}) => this.send(path, { headers })
  post = (path: string, body: object = {}, headers: Record<string, string> = {}) =>
    this.send(path, { method: 'POST', body, headers })

  async send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<HttpResponse> {
    const own: Record<string, string> = {
      ...(this.cookie && { cookie: this.cookie }),
      ...(method === 'POST' && { origin: `http://${this.host}` }),
      ...(method === 'POST' && this.csrfToken && { 'x-csrf-token': this.csrfToken }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    }
    const response = await request(`http://${this.host}${path}`, {
      method,
      headers: own,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.body.text()
    const isJson = text !== '' && String(response.headers['content-type']).includes('json')
    const seen = {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    }
    const cookie = [response.headers['set-cookie'] ?? []].flat()[0]
    if (cookie) this.cookie = cookie.split(';')[0]!
    if (seen.body?.csrfToken) this.csrfToken = seen.body.csrfToken
    return seen
  }

  signIn = (name: string, password: string, totp?: string) =>
    this.post('/api/sign-in', { name, password, ...(totp !== undefined && { totp }) })
}

export interface AddedOperator {
  readonly name: string
  readonly role: OperatorRole
  readonly password: string
  readonly totpUri: string
}

/** Adds an operator with the command line, as its first password is printed. */
export async function addOperator(
  gateway: Pick<Gateway, 'database'>,
  name: string,
  role: OperatorRole,
  clock?: () => number,
) {
  const ran = await runCommand(gateway.database, ['operators', 'add', name, '--role', role, '--json'], {
    environment: { GATEWAY_SECRET: testSecret },
    ...(clock && { clock }),
  })
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  return JSON.parse(ran.stdout) as AddedOperator
}

/** A browser in which a new operator has signed in and changed the first password. */
export async function signedInOperator(gateway: Gateway, name: string, role: OperatorRole, clock?: () => number) {
  const { password } = await addOperator(gateway, name, role, clock)
  const browser = new OperatorBrowser(gateway)
  expect(await browser.signIn(name, password)).toMatchObject({ status: 200, body: { name, role } })
  const changed = await browser.post('/api/me/password', { currentPassword: password, newPassword: operatorPassword })
  expect(changed).toMatchObject({ status: 200, body: { state: 'password_changed' } })
  return browser
}

export const totpOf = ({ totpUri }: Pick<AddedOperator, 'totpUri'>, now: number): string =>
  codeAt(new URL(totpUri).searchParams.get('secret')!, Math.floor(now / 30_000))

const checks = new Map(operatorOperations.map((operation) => [operation.id, checksOf(operation)]))

/** Fails unless the response is in the contract of its operation. */
export function expectInOperatorContract(id: string, { status, headers, text, body }: HttpResponse): void {
  const { types, bodies, envelope } = checks.get(id)!
  expect(headers['x-request-id']).toBeTruthy()
  const check = bodies.get(status)
  if (check) {
    expect(String(headers['content-type'])).toContain(types.get(status)!)
    const isValid = check(types.get(status) === 'application/json' ? body : text).ok
    expect(isValid ? null : `${id} ${status} ${text.slice(0, 2000)}`).toBeNull()
    return
  }
  expect(envelope(body).ok ? null : `${id} ${status} ${text}`).toBeNull()
  expect(operatorApiErrors[body.error.code as keyof typeof operatorApiErrors].status).toBe(status)
}

/** A successful response. A test that says so proves the operation. */
export function expectOperated(id: string, response: HttpResponse): void {
  expectInOperatorContract(id, response)
  expect({ id, status: response.status, text: response.text }).toMatchObject({
    status: operatorOperations.find((operation) => operation.id === id)!.responses[0]!.status,
  })
}

function checksOf({ responses, errors }: OperatorOperation) {
  return {
    types: new Map(responses.map(({ status, contentType }) => [status, contentType])),
    bodies: new Map(responses.map(({ status, schema }) => [status, compile(schema)])),
    envelope: compile(ErrorEnvelope(errors)),
  }
}
