import { defineFeature } from '../../ops/feature.ts'
import type { Writer } from '../../storage/engine.ts'
import { createContacts, createDigests } from '../accounts/contacts.ts'
import type { Accounts } from '../accounts/feature.ts'
import type { EventSubscriber } from '../events/ports.ts'
import type { Messages } from '../messages/feature.ts'
import { createAlertSubscriber, createAlerts } from './alerts.ts'
import { alertOperations } from './contract.ts'
import { alertRoutes } from './routes.ts'
import { alertOutbox, createAlertStore } from './store.ts'

export interface AlertsDeps {
  readonly accounts: Accounts
  readonly messages: Messages
}

/** Sends payers their events by email and SMS. */
export const alertsFeature = defineFeature({
  name: 'alerts',
  consoleOperations: alertOperations,
  build({ engine, keyring, clock, operation }, { accounts: { guards }, messages: { outbox } }: AlertsDeps) {
    const contacts = createContacts(keyring, createDigests(keyring))
    const sender = createAlertSubscriber({ contacts, outbox, clock })
    const subscriber: EventSubscriber<Writer> = { receive: (tx, events) => sender.receive(alertOutbox(tx), events) }
    return { subscriber, routes: alertRoutes({ operation, guards, alerts: createAlerts(createAlertStore(engine)) }) }
  },
})
