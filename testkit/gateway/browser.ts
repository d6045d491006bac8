import { onTestFailed } from 'vitest'
import { type Gateway, type HttpResponse, origin } from './gateway.ts'

export const password = 'correct horse battery staple'
let phones = 13_800_000_000

export const newPhone = () => String(phones++)

/** For steps that a test takes for granted: whatever needs the body would fail later, and without the cause. */
export function bodyOf({ status, text, body }: HttpResponse) {
  if (status >= 300) throw new Error(`answered ${status}: ${text}`)
  return body
}

/** A person at the console: keeps the cookie and the CSRF token like a browser. */
export class Browser {
  readonly gateway: Gateway
  cookie: string | undefined
  csrfToken: string | undefined
  #signedInAt: number | undefined

  constructor(gateway: Gateway) {
    this.gateway = gateway
  }

  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<HttpResponse> {
    const own = {
      origin,
      ...(this.cookie && { cookie: this.cookie }),
      ...(this.csrfToken && { 'x-csrf-token': this.csrfToken }),
      ...headers,
    }
    return this.#keep(await this.gateway.send('POST', path, own, JSON.stringify(body)))
  }

  async get(path: string): Promise<HttpResponse> {
    return this.#keep(await this.gateway.send('GET', path, this.cookie ? { cookie: this.cookie } : {}))
  }

  /** Asks for a code and reads it from the message that was sent. */
  async requestCode(phone: string): Promise<{ challengeId: string; verificationCode: string }> {
    const { challengeId } = bodyOf(await this.post('/v1/auth/send-code', { phone }))
    const message = this.gateway.messages.find((sent) => sent.challengeId === challengeId)
    return { challengeId, verificationCode: message!.code }
  }

  async register(phone = newPhone(), recoveryEmail = 'li@example.com'): Promise<HttpResponse> {
    const proof = await this.requestCode(phone)
    return this.post('/v1/auth/register', { phone, ...proof, recoveryEmail, password })
  }

  async recharge(amountFen: number): Promise<void> {
    const idempotencyKey = `recharge ${amountFen} ${Math.random()}`
    const { orderId } = bodyOf(await this.post('/v1/orders', { amountFen }, { 'idempotency-key': idempotencyKey }))
    bodyOf(await this.post(`/v1/orders/${orderId}/confirm`, {}))
  }

  async createKey(scopes: string[]): Promise<{ apiKey: string; keyId: string }> {
    return bodyOf(await this.post('/v1/keys', { scopes }))
  }

  #keep(response: HttpResponse): HttpResponse {
    const cookie = [response.headers['set-cookie'] ?? []].flat()[0]
    if (cookie) {
      this.cookie = cookie.split(';')[0]!
      this.#signedInAt = this.gateway.clock()
    }
    if (response.status === 401) this.#explain()
    if (response.body?.csrfToken) this.csrfToken = response.body.csrfToken
    return response
  }

  /** If the test fails: a test's clock that moves past the end of a session is the usual reason for a 401. */
  #explain(): void {
    if (this.#signedInAt === undefined) return
    const hours = (this.gateway.clock() - this.#signedInAt) / 3_600_000
    if (hours < 12) return
    try {
      onTestFailed(() =>
        console.error(`The clock of the test is ${hours} hours past the sign-in: the session ran out.`),
      )
    } catch {
      // Not within a test, such as in a hook.
    }
  }
}
