import { SealUnusable } from '../../../base/keyring.ts'
import { alertsPerDay } from '../../../contract/choices.ts'
import type { EventType, ProjectEvent } from '../../../ledger/events.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import { countIn } from '../../identity/accounts/challenge-store.ts'
import type { Contacts } from '../../identity/accounts/contacts.ts'
import { addressOf } from '../../identity/accounts/notices.ts'
import { type Credentials, readCredentials } from '../../identity/accounts/store.ts'
import type { AlertFacts, MessageChannel, Outbox } from '../../identity/messages/message.ts'
import { addMessage } from '../../identity/messages/store.ts'
import { type EventSubscriber, lowBalance, setLowBalance } from '../events/store.ts'
import { type AlertSettings, defaultAlertTypes, defaultSmsTypes } from './contract.ts'

export interface AlertChoices {
  readonly email: readonly EventType[]
  readonly sms: readonly EventType[]
}

export interface AlertRecipient {
  readonly account: Credentials
  /** Null if they have chosen nothing yet. */
  readonly choices: AlertChoices | null
}

/** What was chosen, or the defaults: by email if the address is verified, otherwise by SMS. */
export function choicesOf({ account, choices }: AlertRecipient): AlertChoices {
  if (choices) return choices
  const isVerified = account.recoveryEmailState === 'verified'
  return { email: isVerified ? defaultAlertTypes : [], sms: isVerified ? defaultSmsTypes : defaultAlertTypes }
}

/** How a type is sent to the recipient. While the address is not verified, SMS takes the place of email. */
export function channelsFor(recipient: AlertRecipient, type: EventType): MessageChannel[] {
  const { email, sms } = choicesOf(recipient)
  const isVerified = recipient.account.recoveryEmailState === 'verified'
  const byEmail = email.includes(type)
  const channels: MessageChannel[] = byEmail && isVerified ? ['email'] : []
  return sms.includes(type) || (byEmail && !isVerified) ? [...channels, 'sms'] : channels
}

/** `features/identity` sends a notice of these itself, whatever is chosen here, so no alert repeats it. */
export const isSentByIdentity = (event: ProjectEvent): boolean =>
  event.type === 'account.password_changed' ||
  event.type === 'account.second_factor_changed' ||
  (event.type === 'account.signed_in' && event.data.isNewNetwork)

export type Alerts = ReturnType<typeof createAlerts>

/** The alerts that a payer has chosen, and the balance below which credits are low. */
export const createAlerts = (engine: Engine) => ({
  read: (projectId: string) => engine.read((tx) => settingsOf(tx, projectId)),
  save: (projectId: string, { lowBalanceCredits, email, sms }: AlertSettings): Promise<AlertSettings> =>
    engine.write(async (tx) => {
      await setLowBalance(tx, projectId, lowBalanceCredits)
      await tx.run(
        `INSERT INTO alert_settings (project_id, email_types, sms_types) VALUES ($1, $2, $3)
        ON CONFLICT (project_id) DO UPDATE SET email_types = excluded.email_types, sms_types = excluded.sms_types`,
        [projectId, email.join(' '), sms.join(' ')],
      )
      return settingsOf(tx, projectId)
    }),
})

async function settingsOf(tx: Reader, projectId: string): Promise<AlertSettings> {
  const recipient = await recipientOf(tx, projectId)
  if (!recipient) throw new Error(`project ${projectId} has no owner`)
  const { email, sms } = choicesOf(recipient)
  return { lowBalanceCredits: await lowBalance(tx, projectId), email: [...email], sms: [...sms] }
}

async function recipientOf(tx: Reader, projectId: string): Promise<AlertRecipient | undefined> {
  const project = await tx.get<{ accountId: string; email: string | null; sms: string | null }>(
    `SELECT p.account_id AS "accountId", s.email_types AS email, s.sms_types AS sms
    FROM projects p LEFT JOIN alert_settings s ON s.project_id = p.project_id WHERE p.project_id = $1`,
    [projectId],
  )
  const account = project && (await readCredentials(tx, project.accountId))
  if (!account) return undefined
  const { email, sms } = project
  return { account, choices: email === null || sms === null ? null : { email: typesIn(email), sms: typesIn(sms) } }
}

const typesIn = (text: string) => text.split(' ').filter(Boolean) as EventType[]

interface AlertSubscriberDeps {
  readonly contacts: Pick<Contacts, 'open'>
  readonly outbox: Pick<Outbox, 'prepare'>
  readonly clock: () => number
}

const daySeconds = 86_400

/** Writes the messages that payers asked for into the outbox. Its worker sends them within a second. */
export function createAlertSubscriber({ contacts, outbox, clock }: AlertSubscriberDeps): EventSubscriber {
  async function send(tx: Writer, event: ProjectEvent, { account }: AlertRecipient, channel: MessageChannel) {
    const to = reachable(() => addressOf(contacts, account, channel === 'sms' ? 'phone' : 'email'))
    if (to === undefined) return
    const { type, projectId } = event
    const { used } = await countIn(tx, `alerts ${channel} ${type} ${projectId}`, daySeconds, clock())
    const most = alertsPerDay[channel]
    if (used > most) return
    const at = new Date(event.at).toISOString()
    const alert = { type, data: event.data, isLast: used === most } as AlertFacts
    const content = { kind: 'notice', to, notice: type, at, alert } as const
    await addMessage(tx, outbox.prepare(channel, content, { accountId: account.accountId }))
  }

  return {
    async receive(tx, events) {
      const recipients = new Map<string, AlertRecipient | undefined>()
      for (const event of events) {
        if (isSentByIdentity(event)) continue
        const { projectId, type } = event
        if (!recipients.has(projectId)) recipients.set(projectId, await recipientOf(tx, projectId))
        const recipient = recipients.get(projectId)
        if (!recipient) continue
        for (const channel of channelsFor(recipient, type)) await send(tx, event, recipient, channel)
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
