import { newId, newSortableId } from '../../../base/ids.ts'
import type { Keyring } from '../../../base/keyring.ts'
import { isoOf, isoOrNull } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { Engine, Writer } from '../../../storage/engine.ts'
import { lockProject } from '../../identity/accounts/store.ts'
import {
  type CreatedWebhook,
  type CreateWebhookRequest,
  type DeletedWebhook,
  maxWaitingTests,
  maxWebhooks,
  type RotatedWebhookSecret,
  testType,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
} from './contract.ts'
import { newDelivery, newWebhookSecret, openSecrets, rotateSecrets, sealSecrets } from './delivery.ts'
import {
  addDelivery,
  changeWebhook,
  countWaitingTests,
  type DeliveryRow,
  findDelivery,
  findWebhook,
  insertWebhook,
  lastDeliveries,
  lockWebhook,
  removeWebhook,
  restartDeliveries,
  type WebhookRow,
  webhooksOf,
} from './store.ts'
import { parseTarget, type TargetRules } from './target.ts'

export interface WebhooksDeps extends TargetRules {
  readonly engine: Engine
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
  readonly clock: () => number
  /** Sends what is due now instead of at the next check. */
  readonly wake: () => void
}

export type Webhooks = ReturnType<typeof createWebhooks>

export function createWebhooks(deps: WebhooksDeps) {
  const { engine, keyring, clock, wake } = deps

  function targetOf(text: string): string {
    const url = parseTarget(text, deps)
    if (url === null) throw new Refusal('INVALID_URL')
    return url.href
  }

  /** Adds a delivery to an enabled webhook; it does not wait for others. */
  async function send(projectId: string, webhookId: string, make: (tx: Writer) => Promise<DeliveryRow>) {
    const added = await engine.write(async (tx) => {
      const { state } = known(await lockWebhook(tx, projectId, webhookId))
      if (state === 'disabled') throw new Refusal('WEBHOOK_DISABLED')
      const row = await make(tx)
      await addDelivery(tx, row)
      return row
    })
    wake()
    return shownDelivery(added)
  }

  return {
    list: async (projectId: string): Promise<Webhook[]> =>
      (await engine.read((tx) => webhooksOf(tx, projectId))).map(shownWebhook),
    async create(projectId: string, { url, types }: CreateWebhookRequest): Promise<CreatedWebhook> {
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
      await engine.write(async (tx) => {
        await lockProject(tx, projectId)
        if ((await webhooksOf(tx, projectId)).length >= maxWebhooks) throw new Refusal('WEBHOOK_LIMIT_REACHED')
        await insertWebhook(tx, row)
      })
      const { disabledReason: _, disabledAt: __, ...shown } = shownWebhook(row)
      return { ...shown, secret }
    },
    async update(projectId: string, webhookId: string, changes: UpdateWebhookRequest): Promise<Webhook> {
      const url = changes.url === undefined ? undefined : targetOf(changes.url)
      const changed = await engine.write(async (tx) => {
        const row = known(await lockWebhook(tx, projectId, webhookId))
        const next: WebhookRow = {
          ...row,
          ...(url !== undefined && { url }),
          ...(changes.types !== undefined && { types: changes.types }),
          ...(changes.state === 'enabled' && enabled),
          ...(changes.state === 'disabled' && row.state === 'enabled' && disabledBy('owner', clock())),
        }
        await changeWebhook(tx, next)
        const isNewChance = next.url !== row.url || next.state !== row.state
        if (isNewChance && next.state === 'enabled') await restartDeliveries(tx, webhookId, clock())
        return next
      })
      wake()
      return shownWebhook(changed)
    },
    remove: (projectId: string, webhookId: string): Promise<DeletedWebhook> =>
      engine.write(async (tx) => {
        known(await lockWebhook(tx, projectId, webhookId))
        await removeWebhook(tx, webhookId)
        return { webhookId, state: 'deleted' as const }
      }),
    rotateSecret: (projectId: string, webhookId: string): Promise<RotatedWebhookSecret> =>
      engine.write(async (tx) => {
        const row = known(await lockWebhook(tx, projectId, webhookId))
        const secrets = rotateSecrets(openSecrets(keyring, row), clock())
        await changeWebhook(tx, { ...row, ...sealSecrets(keyring, webhookId, secrets) })
        return { webhookId, secret: secrets.current, previousExpiresAt: isoOf(secrets.previous.until) }
      }),
    test: (projectId: string, webhookId: string) =>
      send(projectId, webhookId, async (tx) => {
        if ((await countWaitingTests(tx, webhookId)) >= maxWaitingTests) throw new Refusal('WEBHOOK_TESTS_WAITING')
        const now = clock()
        const event = { id: newId('evt'), type: testType, at: isoOf(now), projectId, data: {} } as const
        return newDelivery({ webhookId, event, isHolding: false, now })
      }),
    deliveries: (projectId: string, webhookId: string) =>
      engine.read(async (tx) => {
        known(await findWebhook(tx, projectId, webhookId))
        return (await lastDeliveries(tx, webhookId)).map(shownDelivery)
      }),
    delivery: (projectId: string, webhookId: string, deliveryId: string): Promise<WebhookDeliveryDetails> =>
      engine.read(async (tx) => {
        known(await findWebhook(tx, projectId, webhookId))
        const row = await findDelivery(tx, webhookId, deliveryId)
        if (!row) throw new Refusal('DELIVERY_NOT_FOUND')
        return { ...shownDelivery(row), body: row.body, answerBody: row.answerBody }
      }),
    redeliver: (projectId: string, webhookId: string, deliveryId: string) =>
      send(projectId, webhookId, async (tx) => {
        const earlier = await findDelivery(tx, webhookId, deliveryId)
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

const shownWebhook = ({ webhookId, url, types, state, ...row }: WebhookRow): Webhook => ({
  webhookId,
  url,
  types: [...types],
  state,
  disabledReason: row.disabledReason,
  disabledAt: isoOrNull(row.disabledAt),
  createdAt: isoOf(row.createdAt),
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
