import { Type } from 'typebox'
import { section } from './schema-parts.ts'

const text = (description: string, value?: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, ...(value !== undefined && { default: value }) })

const variable = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    description: `Name of the environment variable with ${description}.`,
  })

const endpoint = (value: string) =>
  Type.String({ format: 'base-url', default: value, description: "The vendor's endpoint." })

const templates = Type.Object(
  {
    registration: text('For registration codes; its only parameter is the code.'),
    recovery: text('For recovery codes; its only parameter is the code.'),
    notice: text('For notices; its parameters are the event and the time.'),
  },
  { additionalProperties: false, description: "The vendor's ids of the templates." },
)

const httpSms = Type.Object(
  {
    url: Type.String({ format: 'base-url', description: 'Where each message is posted.' }),
    secretEnv: variable('the signing secret: `whsec_` and at least 24 random bytes in base64'),
  },
  { additionalProperties: false, description: 'A relay of your own (`GATEWAY_SMS=http`).' },
)

const aliyunSms = Type.Object(
  {
    region: text('Region.', 'cn-hangzhou'),
    endpoint: endpoint('https://dysmsapi.aliyuncs.com'),
    signName: text('The approved signature that messages begin with.'),
    templates,
    accessKeyIdEnv: variable('the AccessKey ID'),
    accessKeySecretEnv: variable('the AccessKey secret'),
  },
  { additionalProperties: false, description: 'Alibaba Cloud SMS (`GATEWAY_SMS=aliyun`).' },
)

const tencentSms = Type.Object(
  {
    region: text('Region.', 'ap-guangzhou'),
    endpoint: endpoint('https://sms.tencentcloudapi.com'),
    sdkAppId: Type.String({ pattern: '^[0-9]{1,20}$', description: 'Id of the SMS application.' }),
    signName: text('The approved signature that messages begin with.'),
    templates,
    secretIdEnv: variable('the SecretId'),
    secretKeyEnv: variable('the SecretKey'),
  },
  { additionalProperties: false, description: 'Tencent Cloud SMS (`GATEWAY_SMS=tencent`).' },
)

export const smsSection = section(
  { http: Type.Optional(httpSms), aliyun: Type.Optional(aliyunSms), tencent: Type.Optional(tencentSms) },
  'SMS adapters. `GATEWAY_SMS` chooses one; only its settings are needed.',
)

export const emailSection = section(
  {
    from: Type.Optional(
      Type.String({
        pattern: '^[^\\s<>()\\[\\]\\\\,;:"@]+@[A-Za-z0-9.-]+$',
        maxLength: 254,
        description: 'Sender of all email, such as no-reply@gateway.example; required with `GATEWAY_EMAIL=smtp`.',
      }),
    ),
    fromName: Type.Optional(
      Type.String({
        pattern: '^[^\\x00-\\x1f\\x7f]{1,100}$',
        description: 'Name shown beside the address of the sender.',
      }),
    ),
  },
  'Email.',
)
