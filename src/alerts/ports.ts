import type { EventType } from '../events/event.ts'
import type { LowBalanceReader, LowBalanceWriter } from '../events/ports.ts'
import type { Credentials } from '../identity/ports/accounts.ts'
import type { MessageRow } from '../messages/message.ts'

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

export interface AlertWriter extends AlertReader, LowBalanceWriter {
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
