import { expect, vi } from 'vitest'
import { alertSubjects } from '../../src/features/identity/messages/alert-texts.ts'
import type { SmsNotice } from '../../src/providers/senders.ts'
import { Browser, newPhone, password } from './browser.ts'
import { expectDone } from './console-contract.ts'
import type { Gateway, HttpResponse } from './gateway.ts'

export interface Proof {
  readonly challengeId: string
  readonly verificationCode: string
}

/** Waits for a delivery. A test that moves the clock during one delays it by a second. */
export const eventually = <T>(condition: () => T | Promise<T>): Promise<T> => vi.waitFor(condition, { timeout: 30_000 })

let mailboxes = 0
export const newEmail = () => `li${++mailboxes}@example.com`

/** Somebody with an account, who reads their own phone and mailbox. */
export class AccountOwner {
  readonly gateway: Gateway
  readonly browser: Browser
  readonly phone = newPhone()
  email: string
  password = password

  constructor(gateway: Gateway, email: string) {
    this.gateway = gateway
    this.browser = new Browser(gateway)
    this.email = email
  }

  static async join(gateway: Gateway, email = newEmail()): Promise<AccountOwner> {
    const owner = new AccountOwner(gateway, email)
    expect((await owner.browser.register(owner.phone, email)).status).toBe(201)
    return owner
  }

  post(path: string, body: object): Promise<HttpResponse> {
    return this.browser.post(`/v1/console/${path}`, body)
  }

  async emailCode(): Promise<Proof> {
    const response = await this.post('recovery-email/send-code', {})
    expectDone('console.recovery_email.send_code', response)
    return this.codeOf(response.body.challengeId)
  }

  async verifyEmail(): Promise<void> {
    expectDone('console.recovery_email.verify', await this.post('recovery-email/verify', await this.emailCode()))
  }

  async recoveryCode(identifier: string): Promise<Proof> {
    const response = await new Browser(this.gateway).post('/v1/auth/recovery/send-code', { identifier })
    expectDone('auth.recovery.send_code', response)
    return this.codeOf(response.body.challengeId)
  }

  logIn(identifier: string, secret = this.password, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return new Browser(this.gateway).post('/v1/auth/login', { identifier, password: secret }, headers)
  }

  /** Waits until a message with the code has arrived. */
  async codeOf(challengeId: string): Promise<Proof> {
    const { messages, emails } = this.gateway
    const sent = await eventually(() => {
      const message = [...messages, ...emails].find((one) => one.challengeId === challengeId)
      expect(message).toBeDefined()
      return message!
    })
    return { challengeId, verificationCode: sent.code! }
  }

  /** The notices that have arrived on the phone, without alerts, sorted: a delivery may overtake another. */
  notices(): SmsNotice['notice'][] {
    return this.gateway.notices
      .filter(({ phone, notice }) => phone === this.phone && !(notice in alertSubjects))
      .map(({ notice }) => notice)
      .sort()
  }

  /** The English subjects of the notices that have arrived in a mailbox, without alerts, sorted. */
  mailedNotices(email = this.email): string[] {
    const notices = this.gateway.emails.filter(({ to, kind }) => to === email && kind === 'notice')
    const subjects = notices.map(({ subject }) => subject.split(' · ')[1]!)
    return subjects.filter((subject) => !alerts.has(subject) || subject === 'Password changed').sort()
  }
}

/** Only identity sends the notice of a changed password, under the same subject. */
const alerts = new Set(Object.values(alertSubjects).map(({ en }) => en))

export const wrongCode = ({ challengeId, verificationCode }: Proof): Proof => ({
  challengeId,
  verificationCode: verificationCode.replace(/^./, (digit) => String((Number(digit) + 1) % 10)),
})

export const confirmRecovery = (gateway: Gateway, proof: Proof, newPassword: string): Promise<HttpResponse> =>
  new Browser(gateway).post('/v1/auth/recovery/confirm', { ...proof, newPassword })
