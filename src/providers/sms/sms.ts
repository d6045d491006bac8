import { join } from 'node:path'
import { createOutboxFile, readOutboxFile } from '../outbox-file.ts'
import {
  DeliveryFailure,
  type SmsCode,
  type SmsMessage,
  type SmsNotice,
  type SmsSender,
  type SmsTexts,
} from '../senders.ts'
import type { Credential } from '../upstream.ts'
import { type AliyunSettings, createAliyunSms } from './aliyun.ts'
import { createHttpSms, type HttpSmsSettings } from './http.ts'
import { createTencentSms, type TencentSettings } from './tencent.ts'

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

export type SmsSettings =
  | { readonly adapter: 'outbox' | 'failing' | 'disabled' }
  | ({ readonly adapter: 'http' } & HttpSmsSettings)
  | ({ readonly adapter: 'aliyun' } & AliyunSettings)
  | ({ readonly adapter: 'tencent' } & TencentSettings)

export function chooseSms(settings: SmsSettings, dataDir: string, credential: Credential, texts: SmsTexts): SmsSender {
  switch (settings.adapter) {
    case 'outbox':
      return createOutboxSms(dataDir)
    case 'http':
      return createHttpSms(settings, credential, texts)
    case 'aliyun':
      return createAliyunSms(settings, credential, texts)
    case 'tencent':
      return createTencentSms(settings, credential, texts)
    case 'failing':
      return failing('this adapter fails on purpose')
    case 'disabled':
      return failing('SMS is disabled')
  }
}

const failing = (reason: string): SmsSender => ({
  send: async () => {
    throw new DeliveryFailure(reason)
  },
})
