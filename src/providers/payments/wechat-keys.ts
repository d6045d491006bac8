import type { KeyObject } from 'node:crypto'
import { dayMs, minuteMs } from '../../base/time.ts'
import { jsonObject } from './exchange.ts'
import { PaymentFault } from './payment-provider.ts'
import {
  decryptResource,
  type EncryptedResource,
  isRecent,
  isSignedBy,
  publicKeyOf,
  type SignedMessage,
} from './wechat-signature.ts'

interface PlatformKeysOptions {
  /** By serial; empty if the certificates are downloaded. */
  readonly configured: ReadonlyMap<string, KeyObject>
  readonly apiV3Key: Buffer
  readonly download: () => Promise<SignedMessage & { readonly status: number }>
  readonly clock: () => number
}

/** Certificates are downloaded again this early at most, so that forged serials cause no flood. */
const leastPauseMs = minuteMs

/** The keys that the platform signs responses and callbacks with. Several are valid at once during a rotation. */
export function createPlatformKeys({ configured, apiV3Key, download, clock }: PlatformKeysOptions) {
  let keys = configured
  let downloadedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let downloading: Promise<void> | null = null
  const isDownloaded = configured.size === 0

  async function refresh(): Promise<void> {
    triedAt = clock()
    const response = await download()
    const downloaded = response.status === 200 ? certificatesIn(response.body) : null
    if (!downloaded) throw new PaymentFault(`the platform certificates cannot be downloaded: status ${response.status}`)
    // Signed with one of the certificates in it, which only a holder of the API v3 key can have encrypted.
    const signer = downloaded.get(response.header('wechatpay-serial') ?? '')
    if (!signer || !isSignedBy(signer, response) || !isRecent(response, clock()))
      throw new PaymentFault('the download of the platform certificates is not signed')
    keys = downloaded
    downloadedAt = clock()
  }

  function certificatesIn(body: Uint8Array): Map<string, KeyObject> | null {
    const data = jsonObject(Buffer.from(body).toString('utf8'))?.data
    if (!Array.isArray(data)) return null
    try {
      return new Map(
        data.map((row: { serial_no: string; encrypt_certificate: EncryptedResource }) => [
          row.serial_no,
          publicKeyOf(decryptResource(apiV3Key, row.encrypt_certificate)),
        ]),
      )
    } catch {
      throw new PaymentFault('the platform certificates cannot be decrypted: check the API v3 key')
    }
  }

  /** One download at a time. */
  const refreshOnce = (): Promise<void> => {
    downloading ??= refresh().finally(() => {
      downloading = null
    })
    return downloading
  }

  return {
    refresh: refreshOnce,
    isDownloaded,
    /** The serial to ask for, where the platform signs with a public key. */
    publicKeyId: [...configured.keys()].find((serial) => serial.startsWith('PUB_KEY_ID_')),
    async find(serial: string): Promise<KeyObject | undefined> {
      const isOld = clock() - downloadedAt > dayMs
      if (isDownloaded && (isOld || !keys.has(serial)) && (downloading || clock() - triedAt >= leastPauseMs))
        await refreshOnce().catch((error) => {
          // Yesterday's certificates still hold.
          if (!keys.has(serial)) throw error
        })
      return keys.get(serial)
    },
  }
}
