import type { Static, TSchema } from '../base/schema.ts'
import { credentialVariables } from './credentials.ts'
import { type emailSection, smsSection } from './provider-schema.ts'
import type { EmailAdapter, SmsAdapter } from './variables.ts'

type SmsSection = Static<typeof smsSection>
type EmailSection = Static<typeof emailSection>
type Vendor = 'http' | 'aliyun' | 'tencent'

export type SmsConfig =
  | { readonly adapter: Exclude<SmsAdapter, Vendor> }
  | { readonly [V in Vendor]: { readonly adapter: V } & Required<SmsSection>[V] }[Vendor]

export type EmailConfig =
  | { readonly adapter: Exclude<EmailAdapter, 'smtp'> }
  | ({ readonly adapter: 'smtp'; readonly from: string } & EmailSection)

type MissingSetting = (key: string, neededBy: string) => Error

export function chosenSms(adapter: SmsAdapter, file: SmsSection, missing: MissingSetting): SmsConfig {
  if (adapter !== 'http' && adapter !== 'aliyun' && adapter !== 'tencent') return { adapter }
  const settings = file[adapter]
  if (!settings) throw missing(`sms.${adapter}`, `GATEWAY_SMS=${adapter}`)
  return { adapter, ...settings } as SmsConfig
}

export function chosenEmail(adapter: EmailAdapter, file: EmailSection, missing: MissingSetting): EmailConfig {
  if (adapter !== 'smtp') return { adapter }
  if (file.from === undefined) throw missing('email.from', 'GATEWAY_EMAIL=smtp')
  return { adapter, ...file, from: file.from }
}

export function deliveryVariables({ sms, email }: { sms: SmsConfig; email: EmailConfig }) {
  const needed: { readonly channel: 'SMS' | 'email'; readonly variable: string }[] = []
  const add = (channel: 'SMS' | 'email', ...variables: string[]) =>
    needed.push(...variables.map((variable) => ({ channel, variable })))
  const schemas: Readonly<Record<string, TSchema | undefined>> = smsSection.properties
  const schema = schemas[sms.adapter]
  if (schema) add('SMS', ...credentialVariables(schema, sms).map(({ variable }) => variable))
  if (email.adapter === 'smtp') add('email', 'SMTP_URL')
  return needed
}
