import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SmsMessage, SmsSender } from '../../identity/ports.ts'

const outboxFile = (dataDir: string) => join(dataDir, 'sms-outbox.jsonl')

/** For local use: writes messages to a file that only the owner of the process can read, and delivers nothing. */
export function createOutboxSms(dataDir: string): SmsSender {
  return {
    send: (message) => appendFile(outboxFile(dataDir), `${JSON.stringify(message)}\n`, { mode: 0o600 }),
  }
}

/** Newest first. */
export async function readOutbox(dataDir: string, limit: number): Promise<SmsMessage[]> {
  const text = await readFile(outboxFile(dataDir), 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines
    .slice(-limit)
    .reverse()
    .map((line) => JSON.parse(line) as SmsMessage)
}
