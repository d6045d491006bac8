import type { AlertSettings } from '../contract/console/alerts.ts'
import { choicesOf } from './choices.ts'
import type { AlertReader, AlertStore } from './ports.ts'

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
