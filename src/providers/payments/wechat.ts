import { createHash, type KeyObject } from 'node:crypto'
import { currency as cny } from '../../contract/prices.ts'
import type { ReceivedResponse } from '../http/client.ts'
import { brief, createExchange, type ExchangeRequest, jsonObject } from './exchange.ts'
import {
  type CreatedPayment,
  type NewPayment,
  PaymentFault,
  type PaymentProvider,
  type QueriedPayment,
  type RefundResponse,
  unknownPayment,
} from './payment-provider.ts'
import { wechatBillLines } from './wechat-bill.ts'
import { createPlatformKeys } from './wechat-keys.ts'
import {
  authorizationOf,
  decryptResource,
  type EncryptedResource,
  isRecent,
  isSignedBy,
  type MerchantKey,
  newNonce,
  type SignedMessage,
} from './wechat-signature.ts'

export interface WechatSettings {
  readonly baseUrl: string
  readonly appId: string
  readonly merchant: MerchantKey
  readonly apiV3Key: Buffer
  readonly platformKeys: ReadonlyMap<string, KeyObject>
  readonly timeoutMs: number
  readonly notifyUrl: string
}

const chinaOffsetMs = 8 * 3_600_000

/** RFC 3339 in China, without milliseconds. */
const chinaTime = (at: number) => new Date(at + chinaOffsetMs).toISOString().replace(/\.\d+Z$/, '+08:00')

const largestBill = 67_108_864

/** WeChat Pay, API v3: Native for QR codes, H5 for phones. */
export function createWechat(settings: WechatSettings, clock: () => number): PaymentProvider {
  const { appId, merchant, apiV3Key, notifyUrl } = settings
  const base = new URL(settings.baseUrl)
  const prefix = base.pathname.replace(/\/+$/, '')
  const exchange = createExchange(base.origin, settings.timeoutMs)
  const platform = createPlatformKeys({
    configured: settings.platformKeys,
    apiV3Key,
    download: () => signed({ method: 'GET', path: `${prefix}/v3/certificates`, headers: {} }),
    clock,
  })

  function signed(request: ExchangeRequest): Promise<ReceivedResponse> {
    const { method, path, body = '' } = request
    const timestamp = Math.floor(clock() / 1000)
    const authorization = authorizationOf(merchant, { method, path, body, timestamp, nonce: newNonce() })
    const headers = {
      authorization,
      accept: 'application/json',
      'user-agent': 'api-relay-gateway',
      ...(body && { 'content-type': 'application/json' }),
      ...(platform.publicKeyId && { 'wechatpay-serial': platform.publicKeyId }),
    }
    return exchange.send({ ...request, headers })
  }

  async function isVerified(response: SignedMessage): Promise<boolean> {
    const key = await platform.find(response.header('wechatpay-serial') ?? '')
    return key !== undefined && isRecent(response, clock()) && isSignedBy(key, response)
  }

  /** A response counts only if it is signed: an error without a signature may be a proxy's, and says nothing. */
  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<WechatResponse> {
    const text = body && JSON.stringify(body)
    const response = await signed({ method, path: prefix + path, headers: {}, ...(text && { body: text }) })
    const isSuccess = response.status >= 200 && response.status < 300
    const json = jsonObject(response.body.toString('utf8')) ?? {}
    if (response.status >= 500 || response.status === 429 || response.status === 401)
      throw new PaymentFault(`WeChat Pay answered ${response.status} ${brief(json.code)}`)
    if (!(await isVerified(response))) throw new PaymentFault(`WeChat Pay answered ${response.status}, but not signed`)
    return { isSuccess, json, code: String(json.code ?? `status ${response.status}`) }
  }

  async function create(payment: NewPayment): Promise<CreatedPayment> {
    const isQr = payment.display === 'qr'
    const { isSuccess, json, code } = await call('POST', `/v3/pay/transactions/${isQr ? 'native' : 'h5'}`, {
      appid: appId,
      mchid: merchant.merchantId,
      description: 'API credits',
      out_trade_no: payment.paymentId,
      time_expire: chinaTime(payment.expiresAt),
      notify_url: notifyUrl,
      amount: { total: payment.amountFen, currency: cny },
      ...(!isQr && {
        scene_info: { payer_client_ip: payment.clientAddress ?? '127.0.0.1', h5_info: { type: 'Wap' } },
      }),
    })
    if (!isSuccess) return notCreated(code)
    const [qrText, redirectUrl] = [json.code_url, json.h5_url].map((text) => (typeof text === 'string' ? text : null))
    if ((isQr ? qrText : redirectUrl) == null) throw new PaymentFault('WeChat Pay answered without an address')
    return { kind: 'created', qrText: isQr ? qrText! : null, redirectUrl: isQr ? null : redirectUrl! }
  }

  async function query(paymentId: string): Promise<QueriedPayment> {
    const path = `/v3/pay/transactions/out-trade-no/${paymentId}?mchid=${merchant.merchantId}`
    const { isSuccess, json, code } = await call('GET', path)
    if (isSuccess) return queriedOf(json, paymentId, { appId, merchantId: merchant.merchantId, at: clock() })
    if (isUnknownOrder(code)) return { kind: 'unknown' }
    throw new PaymentFault(`WeChat Pay refused the query: ${brief(code)}`)
  }

  return {
    create,
    query,
    async close(paymentId) {
      const path = `/v3/pay/transactions/out-trade-no/${paymentId}/close`
      const { isSuccess, code } = await call('POST', path, { mchid: merchant.merchantId })
      if (isSuccess || isUnknownOrder(code) || closedCodes.has(code)) return
      throw new PaymentFault(`WeChat Pay refused to close the payment: ${brief(code)}`)
    },
    async refund({ refundId, paymentId, transactionId, amountFen, totalFen, reason }) {
      const { isSuccess, json, code } = await call('POST', '/v3/refund/domestic/refunds', {
        ...(transactionId === undefined ? { out_trade_no: paymentId } : { transaction_id: transactionId }),
        out_refund_no: refundId,
        reason: reason.slice(0, 80),
        amount: { refund: amountFen, total: totalFen, currency: cny },
      })
      return isSuccess ? refundedOf(json) : queryRefund(call, refundId, brief(code))
    },
    async bill(date) {
      const { isSuccess, json, code } = await call('GET', `/v3/bill/tradebill?bill_date=${date}&bill_type=ALL`)
      if (code === 'NO_STATEMENT_EXIST') return null
      if (!isSuccess || typeof json.download_url !== 'string')
        throw new PaymentFault(`WeChat Pay refused the bill: ${brief(code)}`)
      const url = new URL(json.download_url)
      if (url.origin !== base.origin) throw new PaymentFault('the address of the bill is on another host')
      const path = url.pathname + url.search
      const file = await signed({ method: 'GET', path, headers: {}, maxBytes: largestBill })
      if (file.status !== 200) throw new PaymentFault(`the bill cannot be downloaded: status ${file.status}`)
      const digest = createHash('sha1').update(file.body).digest('hex')
      if (digest !== String(json.hash_value).toLowerCase()) throw new PaymentFault('the bill was changed on its way')
      return wechatBillLines(file.body.toString('utf8'))
    },
    async readCallback({ header, body, at }) {
      const message = { header, body }
      if (!isRecent(message, at) || (header('wechatpay-signature') ?? '').startsWith('WECHATPAY/SIGNTEST/')) return null
      const key = await platform.find(header('wechatpay-serial') ?? '').catch(() => undefined)
      if (!key || !isSignedBy(key, message)) return null
      return hintIn(Buffer.from(body).toString('utf8'), apiV3Key)
    },
    callbackResponse: (isAccepted) => ({
      contentType: 'application/json',
      body: JSON.stringify(isAccepted ? { code: 'SUCCESS', message: 'OK' } : { code: 'FAIL', message: 'not accepted' }),
    }),
    async check() {
      if (platform.isDownloaded) await platform.refresh()
      await query(unknownPayment)
      exchange.checkClock()
      return platform.isDownloaded ? 'platform certificates were downloaded' : 'platform keys are configured'
    },
    stop: exchange.stop,
  }
}

interface WechatResponse {
  readonly isSuccess: boolean
  readonly json: Record<string, unknown>
  readonly code: string
}

const isUnknownOrder = (code: string) => code === 'ORDER_NOT_EXIST' || code === 'ORDERNOTEXIST'

/** Already closed, or paid: the next query says which. */
const closedCodes: ReadonlySet<string> = new Set([
  'ORDER_CLOSED',
  'ORDERCLOSED',
  'ORDERPAID',
  'ORDER_PAID',
  'TRADE_STATE_ERROR',
  'OUT_TRADE_NO_USED',
])

/** Paid or closed there already: the query decides. */
function notCreated(code: string): CreatedPayment {
  if (closedCodes.has(code)) throw new PaymentFault(`WeChat Pay did not create the payment: ${brief(code)}`)
  return { kind: 'refused', reason: brief(code) }
}

function queriedOf(
  json: Record<string, unknown>,
  paymentId: string,
  /** `at` replaces a time that the response lacks. */
  own: { readonly appId: string; readonly merchantId: string; readonly at: number },
): QueriedPayment {
  if (json.out_trade_no !== paymentId) throw new PaymentFault('WeChat Pay answered about another payment')
  if ((json.mchid ?? own.merchantId) !== own.merchantId || (json.appid ?? own.appId) !== own.appId)
    throw new PaymentFault('WeChat Pay answered about another merchant')
  switch (json.trade_state) {
    case 'SUCCESS':
    case 'REFUND': {
      const amount = (json.amount ?? {}) as { total?: unknown; currency?: unknown; refund?: unknown }
      const time = Date.parse(String(json.success_time))
      const paidAt = Number.isNaN(time) ? own.at : time
      if (typeof json.transaction_id !== 'string' || !Number.isSafeInteger(amount.total))
        throw new PaymentFault('WeChat Pay answered without the amount or the transaction')
      const { transaction_id: transactionId } = json
      const currency = String(amount.currency ?? 'none')
      const paid = { kind: 'paid', transactionId, amountFen: amount.total as number, currency, paidAt } as const
      if (json.trade_state !== 'REFUND') return paid
      return { ...paid, refundedFen: Number.isSafeInteger(amount.refund) ? (amount.refund as number) : null }
    }
    case 'NOTPAY':
    case 'USERPAYING':
    case 'PAYERROR':
      return { kind: 'waiting' }
    case 'CLOSED':
    case 'REVOKED':
      return { kind: 'closed' }
    default:
      throw new PaymentFault(`WeChat Pay answered with the state ${brief(json.trade_state)}`)
  }
}

function refundedOf(json: Record<string, unknown>): RefundResponse {
  const providerRefundId = typeof json.refund_id === 'string' ? json.refund_id : null
  switch (json.status) {
    case 'SUCCESS':
      return { kind: 'refunded', providerRefundId }
    case 'PROCESSING':
      return { kind: 'pending', providerRefundId }
    case 'CLOSED':
      return { kind: 'refused', reason: 'CLOSED' }
    default:
      return { kind: 'unclear', reason: brief(json.status) }
  }
}

type WechatCall = (method: 'GET' | 'POST', path: string, body?: object) => Promise<WechatResponse>

/** Of a refund whose last request was refused for this reason: an earlier one may have been carried out. */
async function queryRefund(call: WechatCall, refundId: string, reason: string): Promise<RefundResponse> {
  const { isSuccess, json, code } = await call('GET', `/v3/refund/domestic/refunds/${refundId}`)
  if (isSuccess && json.out_refund_no === refundId) return refundedOf(json)
  if (code === 'RESOURCE_NOT_EXISTS') return { kind: 'refused', reason }
  throw new PaymentFault(`WeChat Pay refused the refund (${reason}), and then its query: ${brief(code)}`)
}

/** Null if the resource cannot be decrypted. Of what it says, only the payment is used. */
function hintIn(text: string, apiV3Key: Buffer) {
  const event = jsonObject(text)
  if (typeof event?.id !== 'string' || event.id === '') return null
  try {
    const resource = jsonObject(decryptResource(apiV3Key, event.resource as EncryptedResource))
    const paymentId = resource?.out_trade_no
    return { eventId: event.id, paymentId: typeof paymentId === 'string' ? paymentId : null }
  } catch {
    return null
  }
}
