import { endpoint, ok, type ViewDeps, viewRoute } from '../../../http/endpoint.ts'
import type { Route } from '../../../http/route.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { createContacts, createDigests } from '../../identity/accounts/contacts.ts'
import type { Accounts } from '../../identity/accounts/feature.ts'
import type { Messages } from '../../identity/messages/feature.ts'
import { type Alerts, createAlertSubscriber, createAlerts } from './alerts.ts'
import { type AlertSettings, alertOperations } from './contract.ts'

export interface AlertsDeps {
  readonly accounts: Accounts
  readonly messages: Messages
}

export const alertsFeature = defineFeature({
  name: 'alerts',
  consoleOperations: alertOperations,
  build({ engine, keyring, clock, operation }, { accounts: { guards }, messages: { outbox } }: AlertsDeps) {
    const contacts = createContacts(keyring, createDigests(keyring))
    return {
      subscriber: createAlertSubscriber({ contacts, outbox, clock }),
      routes: alertRoutes({ operation, guards }, createAlerts(engine)),
    }
  },
})

const alertRoutes = (deps: ViewDeps, alerts: Alerts): Route[] => [
  viewRoute(deps, 'console.alerts.read', async ({ session }) => ok(await alerts.read(session.projectId))),
  endpoint<AlertSettings>(deps.operation('console.alerts.save'), async (call, read) => {
    const { projectId } = await deps.guards.sessionWrite(call)
    return ok(await alerts.save(projectId, await read(call)))
  }),
]
