import { signedHeaders } from '../../base/signatures.ts'
import { DeliveryFailure, type SmsMessage, type SmsSender, type SmsTexts } from '../senders.ts'
import type { Credential } from '../upstream.ts'
import { createPost, refusal } from './post.ts'

export interface HttpSmsSettings {
  readonly url: string
  readonly secretEnv: string
}

/** Posts each message to a relay of the operator's, with `signedHeaders`. Any 2xx status accepts it. */
export function createHttpSms({ url, secretEnv }: HttpSmsSettings, credential: Credential, texts: SmsTexts): SmsSender {
  const target = new URL(url)
  const post = createPost(target)
  return {
    async send(message) {
      const secret = credential(secretEnv)
      if (!secret) throw new DeliveryFailure(`${secretEnv} is not set`)
      const body = JSON.stringify(bodyOf(message, texts))
      const id = message.kind === 'notice' ? message.messageId : message.challengeId
      const timestamp = Math.floor(Date.parse(message.sentAt) / 1000)
      const { status } = await post({
        path: target.pathname + target.search,
        headers: { 'content-type': 'application/json', ...signedHeaders({ secrets: [secret], id, timestamp, body }) },
        body,
      })
      if (status < 200 || status > 299) throw refusal('the SMS relay', undefined, status)
    },
  }
}

function bodyOf(message: SmsMessage, { smsText }: SmsTexts): object {
  const { phone } = message
  const text = smsText(message)
  const data =
    message.kind === 'notice'
      ? { phone, text, notice: message.notice, at: message.at }
      : { phone, text, code: message.code, challengeId: message.challengeId }
  return { type: `sms.${message.kind}`, timestamp: message.sentAt, data }
}
