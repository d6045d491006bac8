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
  /** Called for each setting that cannot be used. */
  readonly report: (key: string, what: string, remedy: string) => void
}

/** The configured providers by method, without those that have a setting that cannot be used. */
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
    const privateKey = read(secrets, key, wechat, 'privateKey', privateKeyPem)
    const apiV3Key = read(secrets, key, wechat, 'apiV3Key', key32)
    const platformKeys = new Map(
      wechat.platformKeys.map((row, index) => {
        const given = { ...(row.env && { keyEnv: row.env }), ...(row.file && { keyFile: row.file }) }
        const name = { env: 'env', file: 'file' }
        return [row.serial, read(secrets, `${key}.platformKeys.${index}`, given, 'key', platformKeyPem, name)] as const
      }),
    )
    if (privateKey && apiV3Key && hasAll(platformKeys)) {
      const merchant = { merchantId, serial, privateKey }
      const own = { baseUrl, appId, merchant, apiV3Key, platformKeys, timeoutMs, notifyUrl: notifyUrl('wechat') }
      providers.set('wechat', createWechat(own, clock))
    }
  }
  if (alipay) {
    const key = 'payments.alipay'
    const privateKey = read(secrets, key, alipay, 'privateKey', privateKeyPem)
    const publicKey = read(secrets, key, alipay, 'publicKey', publicKeyPem)
    if (privateKey && publicKey)
      providers.set('alipay', createAlipay({ ...alipay, privateKey, publicKey, notifyUrl: notifyUrl('alipay') }, clock))
  }
  return providers
}

const hasAll = <T>(keys: ReadonlyMap<string, T | null>): keys is ReadonlyMap<string, T> =>
  ![...keys.values()].includes(null)

/** What a variable or file must hold. */
interface Content<T> {
  readonly parse: (text: string) => T
  readonly expected: string
}

/** A secret that is in a variable or in a file, of which exactly one is named; null if it cannot be used. */
function read<T>(
  { credential, report }: PaymentSecrets,
  key: string,
  section: object,
  name: string,
  { parse, expected }: Content<T>,
  names: { readonly env: string; readonly file: string } = { env: `${name}Env`, file: `${name}File` },
): T | null {
  const { [`${name}Env`]: variable, [`${name}File`]: file } = section as Readonly<Record<string, string | undefined>>
  const setting = `${key}.${variable === undefined ? names.file : names.env}`
  if ((variable === undefined) === (file === undefined)) {
    report(
      `${key}.${names.env}`,
      `${variable === undefined ? 'neither it nor' : 'both it and'} ${names.file} is set`,
      `Set exactly one of ${names.env} and ${names.file}.`,
    )
    return null
  }
  const text = variable === undefined ? contentOf(file!) : credential(variable)
  if (text === undefined) {
    report(setting, `${variable ?? file} cannot be read`, 'Set the variable, or give the path of a readable file.')
    return null
  }
  try {
    return parse(text)
  } catch {
    report(
      setting,
      `${variable ?? file} must hold ${expected}`,
      'Put that there; docs/payments.md says where it is from.',
    )
    return null
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

/** Node would take the public half of a private key, which is then on more machines than it has to be. */
function publicOnly(text: string): string {
  if (text.includes('PRIVATE KEY')) throw new Error('a private key')
  return pem(text)
}

const privateKeyPem: Content<KeyObject> = {
  parse: (text) => isRsa(createPrivateKey(pem(text))),
  expected: 'an RSA private key as PEM (PKCS 8), as it was downloaded',
}

const publicKeyPem: Content<KeyObject> = {
  parse: (text) => isRsa(createPublicKey(publicOnly(text))),
  expected: 'an RSA public key as PEM, which begins with "-----BEGIN PUBLIC KEY-----", not a private key',
}

const platformKeyPem: Content<KeyObject> = {
  parse: (text) => isRsa(publicKeyOf(publicOnly(text))),
  expected: 'an RSA public key or a certificate as PEM, not a private key',
}

const key32: Content<Buffer> = {
  parse(text) {
    const key = Buffer.from(text.trim())
    if (key.length !== 32) throw new Error('not 32 bytes')
    return key
  },
  expected: 'exactly 32 bytes of text',
}
