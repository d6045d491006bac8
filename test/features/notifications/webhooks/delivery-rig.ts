import { createKeyring } from '../../../../src/base/keyring.ts'
import type { EventType } from '../../../../src/contract/events.ts'
import { createOutbox } from '../../../../src/features/identity/messages/message.ts'
import { createDeliveryQueue } from '../../../../src/features/notifications/webhooks/delivery-queue.ts'
import type { Attempt, WebhookRequest } from '../../../../src/features/notifications/webhooks/send.ts'
import { type DeliveryRow, lastDeliveries } from '../../../../src/features/notifications/webhooks/store.ts'
import { createWebhooks } from '../../../../src/features/notifications/webhooks/webhooks.ts'
import {
  createWebhookWorker,
  receiveEvents,
  type WebhookWorkerDeps,
} from '../../../../src/features/notifications/webhooks/worker.ts'
import type { ProjectEvent } from '../../../../src/ledger/events.ts'
import type { Engine } from '../../../../src/storage/engine.ts'
import { TestClock } from '../../../../testkit/gateway/gateway.ts'

const keyring = createKeyring('the secret of the tests, 32 bytes or more')
export const projectId = 'prj_1'

export const accepted: Attempt = { fault: null, answerStatus: 200, answerMs: 7, answerBody: 'thank you' }
export const refused: Attempt = { fault: 'status', answerStatus: 500, answerMs: 7, answerBody: null }

export type DeliveryRig = ReturnType<typeof createDeliveryRig>

/** Webhooks on a real store, with a clock that the test moves and endpoints that it controls. */
export function createDeliveryRig(engine: Engine) {
  const clock = new TestClock()
  const store = createDeliveryQueue(engine)
  const webhooks = createWebhooks({ engine, keyring, clock: clock.read, allowsLoopback: false, wake: () => {} })
  const outbox = createOutbox({ keyring, clock: clock.read, wake: () => {} })
  const sent: WebhookRequest[] = []
  const disabled: string[] = []
  const faults: string[] = []
  let events = 0
  let respond: (request: WebhookRequest) => Attempt | Promise<Attempt> = () => accepted

  const workerWith = (overrides: Partial<WebhookWorkerDeps> = {}) =>
    createWebhookWorker({
      queue: store,
      keyring,
      send: async (request) => {
        sent.push(request)
        return respond(request)
      },
      noticesFor: async () => [
        outbox.prepare(
          'email',
          {
            kind: 'notice',
            to: 'payer@example.com',
            notice: 'webhook_disabled',
            at: new Date(clock.now).toISOString(),
          },
          { accountId: null },
        ),
      ],
      instanceId: 'ins_1',
      clock: clock.read,
      random: () => 0.5,
      observer: {
        attempted: () => {},
        disabled: (_, reason) => void disabled.push(reason),
      },
      onStoreFault: (error) => void faults.push((error as Error).message),
      ...overrides,
    })

  return {
    clock,
    store,
    webhooks,
    sent,
    disabled,
    faults,
    workerWith,
    respondWith(next: typeof respond) {
      respond = next
    },
    create: (types: EventType[] = ['order.credited'], path = '', project = projectId) =>
      webhooks.create(project, { url: `https://hooks.example.com/${path}`, types }),
    /** As the dispatcher does. Returns the ids of the events. */
    async raise(count = 1, type: EventType = 'order.credited', project = projectId): Promise<string[]> {
      const raised = Array.from({ length: count }, () => {
        const data = { orderId: 'ord_1', credits: 5, available: 5 }
        return { id: `evt_${++events}`, type, at: clock.now, projectId: project, data } as ProjectEvent
      })
      await engine.write((tx) => receiveEvents(tx, raised, clock.read))
      return raised.map(({ id }) => id)
    },
    /** Adds this many deliveries like the one that there is, faster than through events. */
    copyWaiting: (count: number) =>
      engine.write((tx) =>
        tx.run(
          `INSERT INTO webhook_deliveries (delivery_id, webhook_id, event_id, type, body, status, is_holding, attempts,
            created_at, next_attempt_at)
          WITH RECURSIVE copies (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copies WHERE number < $1)
          SELECT delivery_id || '.' || number, webhook_id, event_id, type, body, status, is_holding, attempts,
            created_at, next_attempt_at FROM webhook_deliveries, copies`,
          [count],
        ),
      ),
    /** Sends what is due, and waits until that is done. */
    async sendDue(overrides: Partial<WebhookWorkerDeps> = {}) {
      const worker = workerWith(overrides)
      worker.wake()
      await worker.idle()
    },
    sentIds: () => sent.map(({ headers }) => headers['webhook-id']!),
    rows: (webhookId: string): Promise<DeliveryRow[]> => engine.read((tx) => lastDeliveries(tx, webhookId, 10_000)),
    notices: () => engine.read((tx) => tx.all('SELECT * FROM messages')),
    clear: () =>
      engine.write(async (tx) => {
        for (const table of ['webhook_deliveries', 'webhooks', 'messages']) await tx.run(`DELETE FROM ${table}`)
      }),
  }
}

export async function addProject(engine: Engine, project = projectId): Promise<void> {
  await engine.write(async (tx) => {
    await tx.run(
      `INSERT INTO accounts (account_id, name, recovery_email_digest, recovery_email_masked, recovery_email_state,
        password_digest, created_at) VALUES ($1, 'A', $1, 'm', 'verified', 'p', 1)`,
      [`acc of ${project}`],
    )
    await tx.run("INSERT INTO projects (project_id, account_id, name, created_at) VALUES ($1, $2, 'P', 1)", [
      project,
      `acc of ${project}`,
    ])
  })
}
