import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createAlipay } from './alipay.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { createWechat } from './wechat.ts'
import { publicKeyOf } from './wechat-signature.ts'

interface WechatSection {
  readonly baseUrl: string
  readonly appId: string
  readonly merchantId: string
  readonly merchantSerial: string
  readonly platformKeys: readonly { readonly serial: string; readonly file?: string; readonly env?: string }[]
  readonly timeoutMs: number
}

interface AlipaySection {
  readonly gatewayUrl: string
  readonly appId: string
  readonly sellerId: string
  readonly timeoutMs: number
}

export interface PaymentSettings {
  readonly wechat?: WechatSection
  readonly alipay?: AlipaySection
}

export interface PaymentSecrets {
  /** Reads an environment variable. */
  readonly credential: (variable: string) => string | undefined
  /** Makes the error for a setting that cannot be used. */
  readonly fault: (key: string, what: string, remedy: string) => Error
}

/** The configured providers by method. Throws the fault of the first setting that cannot be used. */
export function createPaymentProviders(
  settings: PaymentSettings,
  secrets: PaymentSecrets,
  { origin, clock }: { readonly origin: string; readonly clock: () => number },
): Map<string, PaymentProvider> {
  const providers = new Map<string, PaymentProvider>()
  const notifyUrl = (method: string) => `${origin}/v1/payments/callbacks/${method}`
  const { wechat, alipay } = settings
  if (wechat) {
    const key = 'payments.wechat'
    const { baseUrl, appId, merchantId, merchantSerial: serial, timeoutMs } = wechat
    const privateKey = read(secrets, key, wechat, 'privateKey', rsaPrivateKey)
    const apiV3Key = read(secrets, key, wechat, 'apiV3Key', key32)
    const platformKeys = new Map(
      wechat.platformKeys.map((row, index) => {
        const given = { ...(row.env && { keyEnv: row.env }), ...(row.file && { keyFile: row.file }) }
        const name = { env: 'env', file: 'file' }
        return [row.serial, read(secrets, `${key}.platformKeys.${index}`, given, 'key', publicKeyOf, name)] as const
      }),
    )
    const merchant = { merchantId, serial, privateKey }
    const own = { baseUrl, appId, merchant, apiV3Key, platformKeys, timeoutMs, notifyUrl: notifyUrl('wechat') }
    providers.set('wechat', createWechat(own, clock))
  }
  if (alipay) {
    const key = 'payments.alipay'
    const privateKey = read(secrets, key, alipay, 'privateKey', rsaPrivateKey)
    const publicKey = read(secrets, key, alipay, 'publicKey', rsaPublicKey)
    providers.set('alipay', createAlipay({ ...alipay, privateKey, publicKey, notifyUrl: notifyUrl('alipay') }, clock))
  }
  return providers
}

/** A secret that is in a variable or in a file, of which exactly one is named. */
function read<T>(
  { credential, fault }: PaymentSecrets,
  key: string,
  section: object,
  name: string,
  parse: (text: string) => T,
  names: { readonly env: string; readonly file: string } = { env: `${name}Env`, file: `${name}File` },
): T {
  const { [`${name}Env`]: variable, [`${name}File`]: file } = section as Readonly<Record<string, string | undefined>>
  const setting = `${key}.${variable === undefined ? names.file : names.env}`
  if ((variable === undefined) === (file === undefined))
    throw fault(
      `${key}.${names.env}`,
      `${variable === undefined ? 'neither it nor' : 'both it and'} ${names.file} is set`,
      `Set exactly one of ${names.env} and ${names.file}.`,
    )
  const text = variable === undefined ? contentOf(file!) : credential(variable)
  if (text === undefined)
    throw fault(setting, `${variable ?? file} cannot be read`, 'Set the variable, or give the path of a readable file.')
  try {
    return parse(text)
  } catch {
    throw fault(setting, `${variable ?? file} does not have the expected content`, 'See docs/payments.md.')
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const isRsa = (key: KeyObject): KeyObject => {
  if (key.asymmetricKeyType !== 'rsa') throw new Error('not an RSA key')
  return key
}

/** A variable may hold the line breaks of a PEM as `\n`. */
const pem = (text: string) => text.replaceAll('\\n', '\n')

const rsaPrivateKey = (text: string) => isRsa(createPrivateKey(pem(text)))
const rsaPublicKey = (text: string) => isRsa(createPublicKey(pem(text)))

function key32(text: string): Buffer {
  const key = Buffer.from(text.trim())
  if (key.length !== 32) throw new Error('not 32 bytes')
  return key
}
