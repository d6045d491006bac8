import type { EventType } from '../../ledger/books.ts'
import type { Engine, Reader, Writer } from '../../storage/engine.ts'
import { countIn } from '../accounts/challenge-store.ts'
import { readCredentials } from '../accounts/store.ts'
import { lowBalanceReader, lowBalanceWriter } from '../events/store.ts'
import { addMessage } from '../messages/store.ts'
import type { AlertChoices, AlertOutbox, AlertReader, AlertRecipient, AlertStore } from './alerts.ts'

export function createAlertStore(engine: Engine): AlertStore {
  return {
    read: (work) => engine.read((tx) => work(reader(tx))),
    write: (work) =>
      engine.write((tx) =>
        work({ ...reader(tx), ...lowBalanceWriter(tx), saveChoices: (...saved) => saveChoices(tx, ...saved) }),
      ),
  }
}

/** For the transaction that dispatches events. */
export const alertOutbox = (tx: Writer): AlertOutbox => ({
  recipientOf: (projectId) => recipientOf(tx, projectId),
  countToday: async (bucket, now) => (await countIn(tx, bucket, daySeconds, now)).used,
  addMessage: (row) => addMessage(tx, row),
})

const daySeconds = 86_400

const reader = (tx: Reader): AlertReader => ({
  ...lowBalanceReader(tx),
  recipientOf: (projectId) => recipientOf(tx, projectId),
})

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

async function saveChoices(tx: Writer, projectId: string, { email, sms }: AlertChoices): Promise<void> {
  await tx.run(
    `INSERT INTO alert_settings (project_id, email_types, sms_types) VALUES ($1, $2, $3)
    ON CONFLICT (project_id) DO UPDATE SET email_types = excluded.email_types, sms_types = excluded.sms_types`,
    [projectId, email.join(' '), sms.join(' ')],
  )
}

const typesIn = (text: string) => text.split(' ').filter(Boolean) as EventType[]
