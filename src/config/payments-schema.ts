import { type Static, Type } from '../base/schema.ts'
import type { PaymentMode } from '../contract/prices.ts'
import { integer, section } from './provider-schema.ts'

/** The name of a variable that holds a secret itself, and the path of a file with it: exactly one of them is given. */
const held = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, description: `Name of the environment variable that holds ${what}.` }))
const inFile = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, description: `Path of a file with ${what}, instead of the variable.` }))

const merchantKey = "the merchant's private key, PEM in PKCS 8"
const apiV3Key = 'the API v3 key of 32 bytes'
const applicationKey = "the application's private key, PEM"
const alipayKey = "Alipay's public key, PEM"

const id = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description })
const url = (value: string) =>
  Type.String({
    format: 'base-url',
    default: value,
    description: 'Where the provider is asked; http only for loopback hosts.',
  })
const timeoutMs = integer(5000, 'Time for one call.', { minimum: 100, maximum: 30_000 })

const wechat = Type.Object(
  {
    baseUrl: url('https://api.mch.weixin.qq.com'),
    appId: id('The appid that the merchant number is bound to.'),
    merchantId: id('The merchant number (mchid).'),
    merchantSerial: Type.String({
      pattern: '^[0-9A-Fa-f]{1,64}$',
      description: "Serial of the merchant's API certificate.",
    }),
    privateKeyEnv: held(merchantKey),
    privateKeyFile: inFile(merchantKey),
    apiV3KeyEnv: held(apiV3Key),
    apiV3KeyFile: inFile(apiV3Key),
    platformKeys: Type.Array(
      Type.Object(
        {
          serial: Type.String({
            pattern: '^(PUB_KEY_ID_[A-Za-z0-9]{1,64}|[0-9A-Fa-f]{1,64})$',
            description: 'PUB_KEY_ID_... of a public key, or the hexadecimal serial of a certificate.',
          }),
          file: Type.Optional(
            Type.String({ minLength: 1, description: 'Path of a PEM public key or certificate; or env.' }),
          ),
          env: Type.Optional(
            Type.String({ minLength: 1, description: 'Name of the variable that holds it; or file.' }),
          ),
        },
        { additionalProperties: false },
      ),
      {
        maxItems: 16,
        default: [],
        description:
          'Keys of the platform; several can be valid at a time. If empty, its certificates are downloaded daily, and when an unknown serial shows up.',
      },
    ),
    timeoutMs,
  },
  { additionalProperties: false, description: 'WeChat Pay, API v3.' },
)

const alipay = Type.Object(
  {
    gatewayUrl: url('https://openapi.alipay.com/gateway.do'),
    appId: id('The id of the application.'),
    sellerId: id('The id of the seller, such as 2088...'),
    privateKeyEnv: held(applicationKey),
    privateKeyFile: inFile(applicationKey),
    publicKeyEnv: held(alipayKey),
    publicKeyFile: inFile(alipayKey),
    timeoutMs,
  },
  { additionalProperties: false, description: 'Alipay.' },
)

export const paymentsSection = section(
  {
    expirySeconds: integer(900, 'How long a payment can be paid.', { maximum: 86_400 }),
    queryAfterSeconds: Type.Array(Type.Integer({ minimum: 1, maximum: 86_400, description: 'Seconds.' }), {
      maxItems: 16,
      default: [3, 10, 30],
      description: 'Seconds after the creation at which the provider is asked whether a payment was paid.',
    }),
    queryEverySeconds: integer(
      60,
      'How often it is asked afterwards, and the longest pause while the provider fails.',
      {
        maximum: 3600,
      },
    ),
    openPerProject: integer(5, 'How many payments of a project can be open at a time.', { maximum: 1000 }),
    simulated: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: false,
          description: 'The simulated provider: on loopback origins only, where it is on by default.',
        },
      ),
    ),
    wechat: Type.Optional(wechat),
    alipay: Type.Optional(alipay),
  },
  'Payments. A method is offered if its section exists.',
)

export type PaymentsConfig = Static<typeof paymentsSection>

const loopbackHosts = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The methods in force. `fault` makes the error for a setting that cannot be used. */
export function chosenPayments(
  payments: PaymentsConfig,
  { isLoopback, paymentMode }: { readonly isLoopback: boolean; readonly paymentMode: PaymentMode },
  fault: (key: string, what: string, remedy: string) => Error,
): PaymentsConfig {
  const real = payments.wechat ? 'payments.wechat' : payments.alipay && 'payments.alipay'
  if (!isLoopback && paymentMode === 'local-simulated' && real)
    throw fault(
      'GATEWAY_PAYMENT_MODE',
      `is local-simulated next to ${real}: anyone could add credits for free that others pay for`,
      'Set it to disabled.',
    )
  if (payments.simulated && !isLoopback) throw fault('payments.simulated', 'is only for loopback origins', 'Remove it.')
  for (const [key, text] of [
    ['payments.wechat.baseUrl', payments.wechat?.baseUrl],
    ['payments.alipay.gatewayUrl', payments.alipay?.gatewayUrl],
  ] as const) {
    if (text === undefined) continue
    const { protocol, hostname } = new URL(text)
    if (protocol !== 'https:' && !loopbackHosts.test(hostname))
      throw fault(key, 'uses http for a host that is not this machine', 'Use https.')
  }
  return isLoopback ? { ...payments, simulated: {} } : payments
}
