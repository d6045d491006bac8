import { DeliveryFailure, type SmsSender } from '../../messages/senders.ts'
import type { Credential } from '../upstream.ts'
import { type AliyunSettings, createAliyunSms } from './aliyun.ts'
import { createHttpSms, type HttpSmsSettings } from './http.ts'
import { createOutboxSms } from './outbox.ts'
import { createTencentSms, type TencentSettings } from './tencent.ts'

export type SmsSettings =
  | { readonly adapter: 'outbox' | 'failing' | 'disabled' }
  | ({ readonly adapter: 'http' } & HttpSmsSettings)
  | ({ readonly adapter: 'aliyun' } & AliyunSettings)
  | ({ readonly adapter: 'tencent' } & TencentSettings)

export function chooseSms(settings: SmsSettings, dataDir: string, credential: Credential): SmsSender {
  switch (settings.adapter) {
    case 'outbox':
      return createOutboxSms(dataDir)
    case 'http':
      return createHttpSms(settings, credential)
    case 'aliyun':
      return createAliyunSms(settings, credential)
    case 'tencent':
      return createTencentSms(settings, credential)
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
