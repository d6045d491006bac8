import { createHash, createHmac } from 'node:crypto'
import { DeliveryFailure, type SmsMessage, type SmsSender, type SmsTexts } from '../senders.ts'
import type { Credential } from '../upstream.ts'
import { createPost, refusal, type SmsTemplates } from './post.ts'

export interface TencentSettings {
  readonly region: string
  readonly endpoint: string
  readonly sdkAppId: string
  readonly signName: string
  readonly templates: SmsTemplates
  readonly secretIdEnv: string
  readonly secretKeyEnv: string
}

const contentType = 'application/json; charset=utf-8'

/** `SendSms` of Tencent Cloud SMS, version 2021-01-11. */
export function createTencentSms(settings: TencentSettings, credential: Credential, texts: SmsTexts): SmsSender {
  const url = new URL(settings.endpoint)
  const post = createPost(url)
  return {
    async send(message) {
      const secretId = credential(settings.secretIdEnv)
      const secretKey = credential(settings.secretKeyEnv)
      if (!secretId || !secretKey) throw new DeliveryFailure('the credentials of Tencent are not set')
      const body = JSON.stringify({
        PhoneNumberSet: [`+86${message.phone}`],
        SmsSdkAppId: settings.sdkAppId,
        SignName: settings.signName,
        TemplateId: settings.templates[message.kind],
        TemplateParamSet: parametersOf(message, texts),
      })
      const timestamp = Math.floor(Date.parse(message.sentAt) / 1000)
      const action = 'SendSms'
      const headers = {
        host: url.host,
        'content-type': contentType,
        'x-tc-action': action,
        'x-tc-version': '2021-01-11',
        'x-tc-region': settings.region,
        'x-tc-timestamp': String(timestamp),
        authorization: signTc3({ host: url.host, service: 'sms', action, body, timestamp, secretId, secretKey }),
      }
      const { status, json } = await post({ headers, body })
      const code = codeIn(json)
      if (status !== 200 || code !== 'Ok') throw refusal('Tencent', code, status)
    },
  }
}

/** Tencent's parameters have numbers instead of names. */
const parametersOf = (message: SmsMessage, { noticeParameters }: SmsTexts): string[] =>
  message.kind === 'notice' ? Object.values(noticeParameters(message.notice, message.at)) : [message.code]

interface TencentResponse {
  readonly Response?: {
    readonly Error?: { readonly Code?: unknown }
    readonly SendStatusSet?: readonly { readonly Code?: unknown }[]
  }
}

/** The status of the only message, or the error of the whole request. */
function codeIn(json: unknown): unknown {
  const response = (json as TencentResponse | null | undefined)?.Response
  return response?.Error?.Code ?? response?.SendStatusSet?.[0]?.Code
}

export interface Tc3Request {
  readonly host: string
  readonly service: string
  readonly action: string
  readonly body: string
  /** In seconds. */
  readonly timestamp: number
  readonly secretId: string
  readonly secretKey: string
}

/** The Authorization header of a POST to `/`, signed with TC3-HMAC-SHA256 (signature method v3). */
export function signTc3({ host, service, action, body, timestamp, secretId, secretKey }: Tc3Request): string {
  const signedHeaders = 'content-type;host;x-tc-action'
  const headerLines = `content-type:${contentType}\nhost:${host}\nx-tc-action:${action.toLowerCase()}\n`
  const canonicalRequest = ['POST', '/', '', headerLines, signedHeaders, sha256(body)].join('\n')
  const day = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${day}/${service}/tc3_request`
  const toSign = ['TC3-HMAC-SHA256', timestamp, scope, sha256(canonicalRequest)].join('\n')
  const signingKey = [day, service, 'tc3_request'].reduce<string | Buffer>(hmac, `TC3${secretKey}`)
  const signature = hmac(signingKey, toSign).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
