import type { APIResponse, BrowserContext } from 'playwright-core'
import type { texts, Visit } from './console-visit.ts'
import { tick } from './tick.ts'

export const password = 'correct horse battery staple'
let phones = 13_900_000_000

/** The pages with a title, which is their name in the menu too. */
type PageName = { [N in keyof Words]: Words[N] extends { readonly title: string } ? N : never }[keyof Words]
type Words = (typeof texts)['en-US']

export interface Person {
  readonly phone: string
  readonly email: string
  readonly password: string
}

/** Everybody has an email of their own, because codes to one address are limited. */
function newPerson(): Person {
  const phone = String(phones++)
  return { phone, email: `li.${phone}@example.com`, password }
}

export type Steps = ReturnType<typeof stepsOf>

/** What a person does in the console, in whichever language it speaks. */
export function stepsOf({ page, text, context, origin, open }: Visit, codeFor: (phone: string) => string) {
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  return {
    button,

    async register(): Promise<Person> {
      const person = newPerson()
      const { register } = text.auth
      await page.getByLabel(register.phone, { exact: true }).fill(person.phone)
      await button(register.sendCode).click()
      await page.getByText(register.codeSent).waitFor()
      await page.getByLabel(register.code).fill(codeFor(person.phone))
      await page.getByLabel(register.email).fill(person.email)
      await page.getByLabel(register.password, { exact: true }).fill(password)
      await button(register.submit).click()
      await page.getByRole('heading', { name: text.overview.title, level: 1 }).waitFor()
      return person
    },

    /** Registers without the forms and without a page, for tests about something else. The browser keeps the cookie. */
    async signUp(): Promise<Person> {
      const person = newPerson()
      const send = async (to: string, data: object) =>
        jsonOf(await context.request.post(`${origin}/v1/auth/${to}`, { data, headers: { origin } }))
      const { challengeId } = await send('send-code', { phone: person.phone })
      const proof = { challengeId, verificationCode: codeFor(person.phone) }
      const { phone, email: recoveryEmail } = person
      await send('register', { phone, password, recoveryEmail, ...proof })
      return person
    },

    /** Somebody new who is signed in at `path`. */
    async arrive(path = '/console'): Promise<Person> {
      const person = await this.signUp()
      await open(path)
      await page.locator('#content h1').waitFor()
      return person
    },

    /** With the phone, or with an email in its place. */
    async signIn({ phone, password }: Pick<Person, 'phone' | 'password'>): Promise<void> {
      await page.getByLabel(text.auth.signIn.identifier).fill(phone)
      await page.getByLabel(text.auth.signIn.password, { exact: true }).fill(password)
      await button(text.auth.signIn.submit).click()
    },

    /** At the account page. Waits for the end, because leaving the page before would cancel it. */
    async signOut(): Promise<void> {
      await button(text.account.signOut).click()
      await page.getByRole('heading', { name: text.auth.signIn.title, level: 1 }).waitFor()
    },

    /** Uses the menu, which is closed on a narrow screen. */
    async goTo(name: PageName): Promise<void> {
      const menu = button(text.nav.menu)
      if (await menu.isVisible()) await menu.click()
      const link = page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${text[name].title}`) })
      await link.click()
      await page.getByRole('heading', { name: text[name].title, level: 1 }).waitFor()
    },

    /** The button of the cashier. */
    pay: (yuan: string) => button(text.payment.pay.replace('{{yuan}}', `¥${yuan}.00`)),

    async recharge(yuan: string): Promise<void> {
      await page.getByLabel(text.recharge.amount).fill(yuan)
      await this.pay(yuan).click()
      await button(text.payment.paySimulated).click()
      await button(text.payment.again).waitFor()
    },

    /** Returns the plaintext key. */
    async createKey(): Promise<string> {
      await button(text.keys.create).click()
      // A first key has all permissions already.
      await button(text.keys.submit).waitFor()
      if (await button(text.keys.all).isVisible()) await button(text.keys.all).click()
      await button(text.keys.submit).click()
      const key = await page.getByLabel(text.keys.plaintext, { exact: true }).inputValue()
      await tick(page.getByLabel(text.keys.saved))
      return key
    },

    /** Waits until the overview shows this amount. */
    async seeSum(sum: { bought: number; spent: number; reserved: number; available: number }): Promise<void> {
      const said = text.overview.equation.replace(/\{\{(\w+)\}\}/g, (_, part: keyof typeof sum) => String(sum[part]))
      await page.getByRole('img', { name: said, exact: true }).waitFor()
    },

    async runInPlayground(): Promise<void> {
      await page.locator('button[type=submit]').click()
      await page.getByText(new RegExp(`^${text.playground.cost}: `)).waitFor()
    },
  }
}

type Write = (
  path: string,
  data: object,
  headers?: Record<string, string>,
) => Promise<Record<string, string> & { orderId: string; keyId: string; apiKey: string }>

/** Writes of the signed-in person past the pages. */
export function sessionWriter(context: BrowserContext, origin: string): Write {
  let csrfToken: string | undefined
  const post = async (path: string, data: object, headers: Record<string, string>) => {
    csrfToken ??= (await jsonOf(await context.request.get(`${origin}/v1/me`))).csrfToken as string
    return context.request.post(`${origin}${path}`, {
      data,
      headers: { origin, 'x-csrf-token': csrfToken, ...headers },
    })
  }
  return async (path, data, headers = {}) => {
    let response = await post(path, data, headers)
    if (response.status() === 403) {
      // A page or another sign-in has replaced the token since.
      csrfToken = undefined
      response = await post(path, data, headers)
    }
    return jsonOf(response)
  }
}

/** A step past the pages that is refused says so here, not where its answer is needed. */
export async function jsonOf(response: APIResponse) {
  if (!response.ok()) throw new Error(`${response.url()} answered ${response.status()}: ${await response.text()}`)
  return response.json()
}
