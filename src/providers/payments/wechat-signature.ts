import {
  createDecipheriv,
  createPublicKey,
  createSign,
  createVerify,
  type KeyObject,
  X509Certificate,
} from 'node:crypto'
import { randomBytes } from '../../base/randomness.ts'

export interface MerchantKey {
  readonly merchantId: string
  readonly serial: string
  readonly privateKey: KeyObject
}

export interface SignedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly body: string
  /** In seconds. */
  readonly timestamp: number
  readonly nonce: string
}

/** The Authorization header of API v3. */
export function authorizationOf(key: MerchantKey, request: SignedRequest): string {
  const { method, path, timestamp, nonce, body } = request
  const signature = createSign('RSA-SHA256')
    .update(`${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`)
    .sign(key.privateKey, 'base64')
  return `WECHATPAY2-SHA256-RSA2048 mchid="${key.merchantId}",serial_no="${key.serial}",timestamp="${timestamp}",nonce_str="${nonce}",signature="${signature}"`
}

export const newNonce = (): string => randomBytes(16).toString('hex')

export interface SignedMessage {
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
}

/** Whether a response or a callback was signed with this key of the platform. */
export function isSignedBy(key: KeyObject, { header, body }: SignedMessage): boolean {
  const signature = header('wechatpay-signature') ?? ''
  const message = Buffer.concat([
    Buffer.from(`${header('wechatpay-timestamp')}\n${header('wechatpay-nonce')}\n`),
    body,
    Buffer.from('\n'),
  ])
  return createVerify('RSA-SHA256').update(message).verify(key, Buffer.from(signature, 'base64'))
}

const toleranceSeconds = 300

/** Whether the time that a message says is near ours. */
export function isRecent({ header }: SignedMessage, at: number): boolean {
  const timestamp = header('wechatpay-timestamp') ?? ''
  return /^\d{1,12}$/.test(timestamp) && Math.abs(at / 1000 - Number(timestamp)) <= toleranceSeconds
}

export interface EncryptedResource {
  readonly ciphertext: string
  readonly nonce: string
  readonly associated_data?: string
}

const tagLength = 16

/** AES-256-GCM with the API v3 key. Throws if anything was changed. */
export function decryptResource(apiV3Key: Buffer, resource: EncryptedResource): string {
  const bytes = Buffer.from(resource.ciphertext, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', apiV3Key, Buffer.from(resource.nonce), { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(resource.associated_data ?? '')).setAuthTag(bytes.subarray(-tagLength))
  return decipher.update(bytes.subarray(0, -tagLength), undefined, 'utf8') + decipher.final('utf8')
}

/** Of a PEM public key or certificate. Throws if it is neither. */
export const publicKeyOf = (pem: string): KeyObject =>
  pem.includes('CERTIFICATE') ? new X509Certificate(pem).publicKey : createPublicKey(pem)
