import { alertsPerDay } from '../contract/alert-limits.ts'
import type { ProjectEvent } from '../events/event.ts'
import type { EventSubscriber } from '../events/ports.ts'
import type { Contacts } from '../identity/contacts.ts'
import { addressOf } from '../identity/notices.ts'
import type { AlertFacts, MessageChannel, Outbox } from '../messages/message.ts'
import { SealUnusable } from '../secrets/keyring.ts'
import { channelsFor, isToldByIdentity } from './choices.ts'
import type { AlertOutbox, AlertRecipient } from './ports.ts'

export interface AlertSubscriberDeps {
  readonly contacts: Pick<Contacts, 'open'>
  readonly outbox: Pick<Outbox, 'prepare'>
  readonly clock: () => number
}

/** Writes the messages that payers asked for into the outbox. Its worker sends them within a second. */
export function createAlertSubscriber(deps: AlertSubscriberDeps): EventSubscriber<AlertOutbox> {
  async function tell(tx: AlertOutbox, event: ProjectEvent, { account }: AlertRecipient, channel: MessageChannel) {
    const to = reachable(() => addressOf(deps.contacts, account, channel === 'sms' ? 'phone' : 'email'))
    if (to === undefined) return
    const { type, projectId } = event
    const count = await tx.countToday(`alerts ${channel} ${type} ${projectId}`, deps.clock())
    const most = alertsPerDay[channel]
    if (count > most) return
    const at = new Date(event.at).toISOString()
    const alert = { type, data: event.data, isLast: count === most } as AlertFacts
    const content = { kind: 'notice', to, notice: type, at, alert } as const
    await tx.addMessage(deps.outbox.prepare(channel, content, { accountId: account.accountId }))
  }

  return {
    async receive(tx, events) {
      const recipients = new Map<string, AlertRecipient | undefined>()
      for (const event of events) {
        if (isToldByIdentity(event)) continue
        const { projectId, type } = event
        if (!recipients.has(projectId)) recipients.set(projectId, await tx.recipientOf(projectId))
        const recipient = recipients.get(projectId)
        if (!recipient) continue
        for (const channel of channelsFor(recipient, type)) await tell(tx, event, recipient, channel)
      }
    },
  }
}

/** A contact that cannot be opened must not hold up the event for others. */
function reachable(open: () => string | undefined): string | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SealUnusable) return undefined
    throw error
  }
}
