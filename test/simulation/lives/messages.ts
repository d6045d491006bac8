import { createKeyring } from '../../../src/base/keyring.ts'
import { type MessageRow, openMessage } from '../../../src/features/identity/messages/message.ts'
import { afterEachCommit, type BeginLife, type LifeScene } from './life.ts'
import { allSecrets } from './secret-rotation.ts'

/** A message as it was, and when it left the outbox. */
interface SeenMessage {
  readonly row: MessageRow
  deletedAt: number | null
}

/** The clocks of two gateways differ by less. */
const marginMs = 13_000

const selectMessage = `SELECT message_id AS "messageId", channel, kind, sealed, key_version AS "keyVersion",
  expires_at AS "expiresAt" FROM messages WHERE message_id = $1`

/** A message leaves the outbox because it has arrived or has expired. */
function check({ world, truth, plan }: LifeScene, seen: ReadonlyMap<string, SeenMessage>): void {
  // A clock that jumps lets messages expire early; a lost commit takes back what was sent.
  if (plan.faults.has('clock-jump') || truth.hasLostCommits) return
  const keyring = createKeyring(allSecrets[0]!, allSecrets.slice(1))
  for (const { row, deletedAt } of seen.values()) {
    if (row.channel === 'none' || deletedAt === null || deletedAt >= row.expiresAt - marginMs) continue
    const content = openMessage(keyring, row)
    const isCode = row.channel === 'sms' && content.kind !== 'notice'
    const hasArrived = isCode ? truth.codes.has(content.challengeId) : truth.notices.has(row.messageId)
    if (!hasArrived) world.fail(`the message ${row.messageId} was lost`)
  }
}

export const messages: BeginLife = (scene) => {
  const { store, world } = scene
  const seen = new Map<string, SeenMessage>()
  afterEachCommit(store, 'messages', (messageId) => {
    const row = store.db.get<MessageRow>(selectMessage, [messageId])
    const known = seen.get(messageId)
    if (row) seen.set(messageId, { row, deletedAt: null })
    else if (known) known.deletedAt = world.outside.now()
  })
  return { check: () => check(scene, seen) }
}
