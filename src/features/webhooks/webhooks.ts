import { newId, newSortableId } from '../../base/ids.ts'
import type { Keyring } from '../../base/keyring.ts'
import { isoOf, isoOrNull } from '../../base/time.ts'
import { Refusal } from '../../contract/errors.ts'
import {
  type CreatedWebhook,
  type CreateWebhookRequest,
  type DeletedWebhook,
  maxWaitingTests,
  maxWebhooks,
  type RotatedWebhookSecret,
  shownDeliveries,
  testType,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookDelivery,
} from './contract.ts'
import { newDelivery, newWebhookSecret, openSecrets, rotateSecrets, sealSecrets } from './delivery.ts'
import type { DeliveryRow, WebhookRow, WebhookStore, WebhookWriter } from './ports.ts'
import { parseTarget, type TargetRules } from './target.ts'

export interface Webhooks {
  readonly list: (projectId: string) => Promise<Webhook[]>
  readonly create: (projectId: string, request: CreateWebhookRequest) => Promise<CreatedWebhook>
  readonly update: (projectId: string, webhookId: string, changes: UpdateWebhookRequest) => Promise<Webhook>
  readonly remove: (projectId: string, webhookId: string) => Promise<DeletedWebhook>
  readonly rotateSecret: (projectId: string, webhookId: string) => Promise<RotatedWebhookSecret>
  readonly test: (projectId: string, webhookId: string) => Promise<WebhookDelivery>
  readonly deliveries: (projectId: string, webhookId: string) => Promise<WebhookDelivery[]>
  readonly redeliver: (projectId: string, webhookId: string, deliveryId: string) => Promise<WebhookDelivery>
}

export interface WebhooksDeps extends TargetRules {
  readonly store: WebhookStore
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
  readonly clock: () => number
  /** Sends what is due now instead of at the next look. */
  readonly wake: () => void
}

/** What the owner of a project does with its webhooks. */
export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { store, keyring, clock, wake } = deps

  function targetOf(text: string): string {
    const url = parseTarget(text, deps)
    if (url === null) throw new Refusal('INVALID_URL')
    return url.href
  }

  /** Adds a delivery to an enabled webhook; it does not wait for others. */
  async function send(projectId: string, webhookId: string, make: (tx: WebhookWriter) => Promise<DeliveryRow>) {
    const added = await store.write(async (tx) => {
      const { state } = known(await tx.lock(projectId, webhookId))
      if (state === 'disabled') throw new Refusal('WEBHOOK_DISABLED')
      const row = await make(tx)
      await tx.addDelivery(row)
      return row
    })
    wake()
    return shownDelivery(added)
  }

  return {
    list: async (projectId) => (await store.read((tx) => tx.webhooksOf(projectId))).map(shownWebhook),
    async create(projectId, { url, types }) {
      const secret = newWebhookSecret()
      const webhookId = newSortableId('whk', clock())
      const row: WebhookRow = {
        webhookId,
        projectId,
        url: targetOf(url),
        types,
        ...enabled,
        createdAt: clock(),
        ...sealSecrets(keyring, webhookId, { current: secret }),
      }
      await store.write(async (tx) => {
        await tx.lockProject(projectId)
        if ((await tx.webhooksOf(projectId)).length >= maxWebhooks) throw new Refusal('WEBHOOK_LIMIT_REACHED')
        await tx.insert(row)
      })
      const { disabledReason: _, disabledAt: __, ...shown } = shownWebhook(row)
      return { ...shown, secret }
    },
    async update(projectId, webhookId, changes) {
      const url = changes.url === undefined ? undefined : targetOf(changes.url)
      const changed = await store.write(async (tx) => {
        const row = known(await tx.lock(projectId, webhookId))
        const next: WebhookRow = {
          ...row,
          ...(url !== undefined && { url }),
          ...(changes.types !== undefined && { types: changes.types }),
          ...(changes.state === 'enabled' && enabled),
          ...(changes.state === 'disabled' && row.state === 'enabled' && disabledBy('owner', clock())),
        }
        await tx.change(next)
        const isNewChance = next.url !== row.url || next.state !== row.state
        if (isNewChance && next.state === 'enabled') await tx.restartDeliveries(webhookId, clock())
        return next
      })
      wake()
      return shownWebhook(changed)
    },
    remove: (projectId, webhookId) =>
      store.write(async (tx) => {
        known(await tx.lock(projectId, webhookId))
        await tx.remove(webhookId)
        return { webhookId, state: 'deleted' as const }
      }),
    rotateSecret: (projectId, webhookId) =>
      store.write(async (tx) => {
        const row = known(await tx.lock(projectId, webhookId))
        const secrets = rotateSecrets(openSecrets(keyring, row), clock())
        await tx.change({ ...row, ...sealSecrets(keyring, webhookId, secrets) })
        return { webhookId, secret: secrets.current, previousExpiresAt: isoOf(secrets.previous.until) }
      }),
    test: (projectId, webhookId) =>
      send(projectId, webhookId, async (tx) => {
        if ((await tx.countWaitingTests(webhookId)) >= maxWaitingTests) throw new Refusal('WEBHOOK_TESTS_WAITING')
        const now = clock()
        const event = { id: newId('evt'), type: testType, at: isoOf(now), projectId, data: {} } as const
        return newDelivery({ webhookId, event, isHolding: false, now })
      }),
    deliveries: (projectId, webhookId) =>
      store.read(async (tx) => {
        known(await tx.find(projectId, webhookId))
        return (await tx.deliveriesOf(webhookId, shownDeliveries)).map(shownDelivery)
      }),
    redeliver: (projectId, webhookId, deliveryId) =>
      send(projectId, webhookId, async (tx) => {
        const earlier = await tx.delivery(webhookId, deliveryId)
        if (!earlier) throw new Refusal('DELIVERY_NOT_FOUND')
        return newDelivery({ webhookId, event: JSON.parse(earlier.body), isHolding: false, now: clock() })
      }),
  }
}

const enabled = { state: 'enabled', disabledReason: null, disabledAt: null } as const

const disabledBy = (disabledReason: 'owner', disabledAt: number) =>
  ({ state: 'disabled', disabledReason, disabledAt }) as const

function known(row: WebhookRow | undefined): WebhookRow {
  if (!row) throw new Refusal('WEBHOOK_NOT_FOUND')
  return row
}

const shownWebhook = ({
  webhookId,
  url,
  types,
  state,
  disabledReason,
  disabledAt,
  createdAt,
}: WebhookRow): Webhook => ({
  webhookId,
  url,
  types: [...types],
  state,
  disabledReason,
  disabledAt: isoOrNull(disabledAt),
  createdAt: isoOf(createdAt),
})

const shownDelivery = (row: DeliveryRow): WebhookDelivery => ({
  deliveryId: row.deliveryId,
  eventId: row.eventId,
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  answerStatus: row.answerStatus,
  answerMs: row.answerMs,
  fault: row.fault,
  createdAt: isoOf(row.createdAt),
  lastAttemptAt: isoOrNull(row.lastAttemptAt),
  nextAttemptAt: isoOrNull(row.nextAttemptAt),
})
