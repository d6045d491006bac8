import type { Keyring } from '../../base/keyring.ts'
import type { Writer } from '../../storage/engine.ts'
import { createContacts, createDigests } from '../accounts/contacts.ts'
import type { EventSubscriber } from '../events/ports.ts'
import type { Outbox } from '../messages/message.ts'
import { createAlertSubscriber } from './alerts.ts'
import { alertOutbox } from './store.ts'

interface AlertsOnEventsDeps {
  readonly keyring: Keyring
  readonly outbox: Outbox
  readonly clock: () => number
}

/** Tells payers of their events by email and SMS. */
export function alertsOnEvents({ keyring, outbox, clock }: AlertsOnEventsDeps): EventSubscriber<Writer> {
  const contacts = createContacts(keyring, createDigests(keyring))
  const subscriber = createAlertSubscriber({ contacts, outbox, clock })
  return { receive: (tx, events) => subscriber.receive(alertOutbox(tx), events) }
}
