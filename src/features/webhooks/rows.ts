import type { EventType } from '../../contract/events.ts'
import type { Reader, Value, Writer } from '../../storage/engine.ts'
import { type DeliveryRow, maxWaiting, type WebhookRow } from './ports.ts'

export const webhookColumns = `webhook_id AS "webhookId", project_id AS "projectId", url, types, sealed,
  key_version AS "keyVersion", state, disabled_reason AS "disabledReason", disabled_at AS "disabledAt",
  created_at AS "createdAt"`

export type StoredWebhook = Omit<WebhookRow, 'types'> & { types: string }

export const toWebhook = ({ types, ...row }: StoredWebhook): WebhookRow => ({
  ...row,
  types: types.split(' ') as EventType[],
})

/** The columns of a delivery and their fields. */
const columns = {
  delivery_id: 'deliveryId',
  webhook_id: 'webhookId',
  event_id: 'eventId',
  type: 'type',
  body: 'body',
  status: 'status',
  is_holding: 'isHolding',
  attempts: 'attempts',
  created_at: 'createdAt',
  first_attempt_at: 'firstAttemptAt',
  last_attempt_at: 'lastAttemptAt',
  next_attempt_at: 'nextAttemptAt',
  answer_status: 'answerStatus',
  answer_ms: 'answerMs',
  fault: 'fault',
} as const satisfies Record<string, keyof DeliveryRow>

export const deliveryColumns = Object.entries(columns)
  .map(([column, field]) => `${column} AS "${field}"`)
  .join(', ')

export type StoredDelivery = Omit<DeliveryRow, 'isHolding'> & { isHolding: number }

export const toDelivery = (row: StoredDelivery): DeliveryRow => ({ ...row, isHolding: row.isHolding === 1 })

export async function insertDeliveries(tx: Writer, rows: readonly DeliveryRow[]): Promise<void> {
  const values: Value[] = []
  const places = rows.map((row) => {
    const row_ = Object.values(columns).map((field) => {
      const value = row[field]
      return `$${values.push(typeof value === 'boolean' ? Number(value) : value)}`
    })
    return `(${row_.join(', ')})`
  })
  await tx.run(
    `INSERT INTO webhook_deliveries (${Object.keys(columns).join(', ')}) VALUES ${places.join(', ')}`,
    values,
  )
}

const waiting = `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'waiting'`

/** The delivery whose turn it is: the oldest one that holds others back, or one that waits for nobody. */
const nextInTurn = `SELECT * FROM (${waiting} AND is_holding = 0
  UNION ALL SELECT * FROM (${waiting} AND is_holding = 1 ORDER BY delivery_id LIMIT 1) AS head) AS candidates
  ORDER BY "nextAttemptAt", "deliveryId" LIMIT 1`

export async function nextDelivery(tx: Reader, webhookId: string): Promise<DeliveryRow | undefined> {
  const row = await tx.get<StoredDelivery>(nextInTurn, [webhookId])
  return row && toDelivery(row)
}

/** At most `maxWaiting`. */
export async function countWaiting(tx: Reader, webhookId: string): Promise<number> {
  const row = await tx.get<{ waiting: number }>(
    `SELECT COUNT(*) AS waiting FROM (SELECT 1 AS found FROM webhook_deliveries
      WHERE webhook_id = $1 AND status = 'waiting' LIMIT ${maxWaiting}) AS waiting`,
    [webhookId],
  )
  return row!.waiting
}
