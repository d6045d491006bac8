import { createHash, createHmac } from 'node:crypto'
import { randomUUID } from '../../base/randomness.ts'
import { DeliveryFailure, type SmsMessage, type SmsSender, type SmsTexts } from '../senders.ts'
import type { Credential } from '../upstream.ts'
import { createPost, refusal, type SmsTemplates } from './post.ts'

export interface AliyunSettings {
  readonly region: string
  readonly endpoint: string
  readonly signName: string
  readonly templates: SmsTemplates
  readonly accessKeyIdEnv: string
  readonly accessKeySecretEnv: string
}

/** `SendSms` of Alibaba Cloud's Dysmsapi, version 2017-05-25. */
export function createAliyunSms(settings: AliyunSettings, credential: Credential, texts: SmsTexts): SmsSender {
  const url = new URL(settings.endpoint)
  const post = createPost(url)
  return {
    async send(message) {
      const accessKeyId = credential(settings.accessKeyIdEnv)
      const accessKeySecret = credential(settings.accessKeySecretEnv)
      if (!accessKeyId || !accessKeySecret) throw new DeliveryFailure('the credentials of Aliyun are not set')
      const query = canonicalQuery({
        PhoneNumbers: message.phone,
        RegionId: settings.region,
        SignName: settings.signName,
        TemplateCode: settings.templates[message.kind],
        TemplateParam: JSON.stringify(parametersOf(message, texts)),
      })
      const headers = signAcs3({
        host: url.host,
        action: 'SendSms',
        version: '2017-05-25',
        query,
        body: '',
        date: message.sentAt,
        nonce: randomUUID(),
        accessKeyId,
        accessKeySecret,
      })
      const { status, json } = await post({ path: `/?${query}`, headers, body: '' })
      const code = (json as { Code?: unknown } | undefined)?.Code
      if (status !== 200 || code !== 'OK') throw refusal('Aliyun', code, status)
    },
  }
}

const parametersOf = (message: SmsMessage, { noticeParameters }: SmsTexts) =>
  message.kind === 'notice' ? noticeParameters(message.notice, message.at) : { code: message.code }

/** Sorted, and encoded as RFC 3986 says. */
export const canonicalQuery = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

export interface Acs3Request {
  readonly host: string
  readonly action: string
  readonly version: string
  readonly query: string
  readonly body: string
  /** ISO 8601. */
  readonly date: string
  readonly nonce: string
  readonly accessKeyId: string
  readonly accessKeySecret: string
}

/** The headers of a POST to `/`, signed with ACS3-HMAC-SHA256 (request structure and signature, version 3). */
export function signAcs3(request: Acs3Request): Record<string, string> {
  const bodyDigest = sha256(request.body)
  const headers = {
    host: request.host,
    'x-acs-action': request.action,
    'x-acs-content-sha256': bodyDigest,
    'x-acs-date': request.date.replace(/\.\d+Z$/, 'Z'),
    'x-acs-signature-nonce': request.nonce,
    'x-acs-version': request.version,
  }
  const signedHeaders = Object.keys(headers).join(';')
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonicalRequest = ['POST', '/', request.query, headerLines.join(''), signedHeaders, bodyDigest].join('\n')
  const signature = createHmac('sha256', request.accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonicalRequest)}`)
    .digest('hex')
  const credential = `Credential=${request.accessKeyId},SignedHeaders=${signedHeaders},Signature=${signature}`
  return { ...headers, authorization: `ACS3-HMAC-SHA256 ${credential}` }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
