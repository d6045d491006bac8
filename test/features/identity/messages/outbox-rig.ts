import { createKeyring } from '../../../../src/base/keyring.ts'
import { createAccountStore } from '../../../../src/features/identity/accounts/store.ts'
import { createOutbox } from '../../../../src/features/identity/messages/message.ts'
import type { MessageFacts } from '../../../../src/features/identity/messages/store.ts'
import { createMessageStore } from '../../../../src/features/identity/messages/store.ts'
import { createMessageWorker, type MessageWorkerDeps } from '../../../../src/features/identity/messages/worker.ts'
import { DeliveryFailure, type EmailMessage, type SmsMessage } from '../../../../src/providers/senders.ts'
import type { Engine } from '../../../../src/storage/engine.ts'
import { TestClock } from '../../../../testkit/gateway/gateway.ts'

const keyring = createKeyring('the secret of the tests, 32 bytes or more')

/** An outbox on a real store, with a clock that the test moves and senders that it controls. */
export function createOutboxRig(engine: Engine) {
  const clock = new TestClock()
  const store = createMessageStore(engine)
  const identity = createAccountStore(engine)
  const outbox = createOutbox({ keyring, clock: clock.read, wake: () => {} })
  const sms: SmsMessage[] = []
  const emails: EmailMessage[] = []
  const events: string[] = []
  const note = (event: string) => (message: MessageFacts) =>
    void events.push(`${event} ${message.channel} ${message.kind} ${message.attempts}`)

  const workerWith = (overrides: Partial<MessageWorkerDeps> = {}) =>
    createMessageWorker({
      store,
      keyring,
      sms: { send: async (message) => void sms.push(message) },
      email: { send: async (message) => void emails.push(message) },
      instanceId: 'ins_1',
      clock: clock.read,
      observer: {
        sent: note('sent'),
        failed: note('failed'),
        dropped: note('dropped'),
        storeFailed: (error) => void events.push(`store ${(error as Error).message}`),
      },
      ...overrides,
    })

  return {
    clock,
    store,
    outbox,
    sms,
    emails,
    events,
    workerWith,
    /** Sends what is due, once, and waits until that is done. */
    async sendDue(overrides: Partial<MessageWorkerDeps> = {}) {
      const worker = workerWith(overrides)
      worker.wake()
      await worker.idle()
    },
    async addCode(code = '123456', channel: 'sms' | 'email' | 'none' = 'sms') {
      const to = channel === 'email' ? 'payer@example.com' : '13800138000'
      const content = { kind: 'recovery', to, code, challengeId: `gvc_${code}` } as const
      const row = outbox.prepare(channel, content, { accountId: null, expiresAt: clock.now + 300_000 })
      await identity.write((tx) => tx.addMessage(row))
      return row
    },
    async addNotice(count = 1) {
      const at = new Date(clock.now).toISOString()
      const content = { kind: 'notice', to: 'payer@example.com', notice: 'password_changed', at } as const
      await identity.write(async (tx) => {
        for (let added = 0; added < count; added++)
          await tx.addMessage(outbox.prepare('email', content, { accountId: null }))
      })
    },
    rows: () =>
      engine.read((tx) =>
        tx.all<{ messageId: string; attempts: number; claimedBy: string | null; waitMs: number }>(
          `SELECT message_id AS "messageId", attempts, claimed_by AS "claimedBy", next_attempt_at - $1 AS "waitMs"
          FROM messages ORDER BY message_id`,
          [clock.now],
        ),
      ),
    identity,
  }
}

export type OutboxRig = ReturnType<typeof createOutboxRig>

export const failing = { send: () => Promise.reject(new DeliveryFailure('no delivery')) }
