import { SealUnusable } from '../../base/keyring.ts'
import { alertsPerDay } from '../../contract/choices.ts'
import type { EventType, ProjectEvent } from '../../ledger/books.ts'
import type { Contacts } from '../accounts/contacts.ts'
import { addressOf } from '../accounts/notices.ts'
import type { Credentials } from '../accounts/store.ts'
import type { EventSubscriber, LowBalanceReader, LowBalanceWriter } from '../events/ports.ts'
import type { AlertFacts, MessageChannel, MessageRow, Outbox } from '../messages/message.ts'
import { type AlertSettings, defaultAlertTypes } from './contract.ts'

/** The types of events that are sent by each channel. */
export interface AlertChoices {
  readonly email: readonly EventType[]
  readonly sms: readonly EventType[]
}

export interface AlertStore {
  read<T>(work: (tx: AlertReader) => Promise<T>): Promise<T>
  write<T>(work: (tx: AlertWriter) => Promise<T>): Promise<T>
}

export interface AlertReader extends LowBalanceReader {
  recipientOf(projectId: string): Promise<AlertRecipient | undefined>
}

interface AlertWriter extends AlertReader, LowBalanceWriter {
  saveChoices(projectId: string, choices: AlertChoices): Promise<void>
}

/** Whoever is told of the events of a project. */
export interface AlertRecipient {
  readonly account: Credentials
  /** Null if they have chosen nothing yet. */
  readonly choices: AlertChoices | null
}

/** What the alerts write in the transaction that dispatches events. */
export interface AlertOutbox extends Pick<AlertReader, 'recipientOf'> {
  /** Counts one more in the day's window of this bucket, and returns how many that makes. */
  countToday(bucket: string, now: number): Promise<number>
  addMessage(row: MessageRow): Promise<void>
}

/** What was chosen, or the defaults: by email if the address is verified, otherwise by SMS. */
export function choicesOf({ account, choices }: AlertRecipient): AlertChoices {
  if (choices) return choices
  const isVerified = account.recoveryEmailState === 'verified'
  return { email: isVerified ? defaultAlertTypes : [], sms: isVerified ? [] : defaultAlertTypes }
}

/** How the recipient is told of a type. While the address is not verified, SMS takes the place of email. */
export function channelsFor(recipient: AlertRecipient, type: EventType): MessageChannel[] {
  const { email, sms } = choicesOf(recipient)
  const isVerified = recipient.account.recoveryEmailState === 'verified'
  const byEmail = email.includes(type)
  const channels: MessageChannel[] = byEmail && isVerified ? ['email'] : []
  return sms.includes(type) || (byEmail && !isVerified) ? [...channels, 'sms'] : channels
}

/** Nobody can switch these notices off, so identity sends them, in the commit of what happened. */
export const isToldByIdentity = (event: ProjectEvent): boolean =>
  event.type === 'account.password_changed' || (event.type === 'account.signed_in' && event.data.isNewNetwork)

/** What a payer has chosen to be told, and from which balance on. */
export interface Alerts {
  readonly read: (projectId: string) => Promise<AlertSettings>
  readonly save: (projectId: string, settings: AlertSettings) => Promise<AlertSettings>
}

export function createAlerts(store: AlertStore): Alerts {
  return {
    read: (projectId) => store.read((tx) => settingsOf(tx, projectId)),
    save: (projectId, { lowBalanceCredits, ...choices }) =>
      store.write(async (tx) => {
        await tx.setLowBalance(projectId, lowBalanceCredits)
        await tx.saveChoices(projectId, choices)
        return settingsOf(tx, projectId)
      }),
  }
}

async function settingsOf(tx: AlertReader, projectId: string): Promise<AlertSettings> {
  const recipient = await tx.recipientOf(projectId)
  if (!recipient) throw new Error(`project ${projectId} has no owner`)
  const { email, sms } = choicesOf(recipient)
  return { lowBalanceCredits: await tx.lowBalance(projectId), email: [...email], sms: [...sms] }
}

interface AlertSubscriberDeps {
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
