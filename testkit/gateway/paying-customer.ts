import { type BillableOperation, prices, scopes } from '../../src/contract/prices.ts'
import { Browser, bodyOf } from './browser.ts'
import type { Gateway, HttpResponse } from './gateway.ts'

export interface Credits {
  readonly available: number
  readonly reserved: number
}

/** Somebody who registered, recharged and created a key of every scope, all over HTTP. */
export class PayingCustomer {
  readonly browser: Browser
  readonly apiKey: string
  readonly projectId: string
  #intents = 0

  private constructor(browser: Browser, apiKey: string, projectId: string) {
    this.browser = browser
    this.apiKey = apiKey
    this.projectId = projectId
  }

  static async join(gateway: Gateway, { amountFen = 100_000 } = {}): Promise<PayingCustomer> {
    const browser = new Browser(gateway)
    const { project } = bodyOf(await browser.register())
    if (amountFen > 0) await browser.recharge(amountFen)
    const { apiKey } = await browser.createKey([...scopes])
    return new PayingCustomer(browser, apiKey, project.projectId)
  }

  /** The same person, session and key at another instance or after a restart. */
  at(gateway: Gateway): PayingCustomer {
    const browser = new Browser(gateway)
    browser.cookie = this.browser.cookie
    browser.csrfToken = this.browser.csrfToken
    return new PayingCustomer(browser, this.apiKey, this.projectId)
  }

  newKey(): string {
    this.#intents += 1
    return `intent ${this.#intents} ${Math.random()}`
  }

  call(operation: BillableOperation, request: object, idempotencyKey = this.newKey()): Promise<HttpResponse> {
    return this.browser.gateway.call(this.apiKey, prices[operation].path, idempotencyKey, request)
  }

  async credits(): Promise<Credits> {
    return bodyOf(await this.browser.get('/v1/me')).credits
  }
}
