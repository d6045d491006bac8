import { join } from 'node:path'
import type { EmailMessage, EmailSender } from '../../messages/senders.ts'
import { createOutboxFile, readOutboxFile } from '../outbox-file.ts'

/** A line of the file. */
export type EmailOutboxLine = Omit<EmailMessage, 'messageId'>

const emailOutboxPath = (dataDir: string) => join(dataDir, 'email-outbox.jsonl')

/** For local use: writes messages to a file. */
export function createOutboxEmail(dataDir: string): EmailSender {
  const file = createOutboxFile(emailOutboxPath(dataDir))
  return { send: ({ messageId: _, ...line }) => file.append(line) }
}

/** Newest first. */
export const readEmailOutbox = (dataDir: string, limit: number): Promise<EmailOutboxLine[]> =>
  readOutboxFile<EmailOutboxLine>(emailOutboxPath(dataDir), limit)
