import { join } from 'node:path'
import type { SmsCode, SmsMessage, SmsNotice, SmsSender } from '../../messages/senders.ts'
import { createOutboxFile, readOutboxFile } from '../outbox-file.ts'

/** A line of the file. */
export type SmsOutboxLine = SmsCode | Pick<SmsNotice, 'kind' | 'phone' | 'text' | 'sentAt'>

const smsOutboxPath = (dataDir: string) => join(dataDir, 'sms-outbox.jsonl')

/** For local use: writes messages to a file. */
export function createOutboxSms(dataDir: string): SmsSender {
  const file = createOutboxFile(smsOutboxPath(dataDir))
  return { send: (message) => file.append(lineOf(message)) }
}

/** Newest first. */
export const readSmsOutbox = (dataDir: string, limit: number): Promise<SmsOutboxLine[]> =>
  readOutboxFile<SmsOutboxLine>(smsOutboxPath(dataDir), limit)

function lineOf(message: SmsMessage): SmsOutboxLine {
  const { kind, phone, sentAt } = message
  if (message.kind === 'notice') return { phone, text: message.text, sentAt, kind: message.kind }
  return { phone, code: message.code, challengeId: message.challengeId, sentAt, kind: kind as SmsCode['kind'] }
}
