import type { KeyObject } from 'node:crypto'
import { currency as cny, yuanOfFen } from '../../contract/prices.ts'
import { alipayBillLines, billAddress } from './alipay-bill.ts'
import { isCallbackSigned, isSigned, signedPart, signParameters } from './alipay-signature.ts'
import { brief, createExchange, jsonObject, type PaymentExchange } from './exchange.ts'
import {
  fenOfYuan,
  type NewPayment,
  type NewRefund,
  PaymentFault,
  type PaymentProvider,
  type QueriedPayment,
  type RefundResponse,
  unknownPayment,
} from './payment-provider.ts'

export interface AlipaySettings {
  readonly gatewayUrl: string
  readonly appId: string
  readonly sellerId: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly timeoutMs: number
  readonly notifyUrl: string
}

const chinaOffsetMs = 8 * 3_600_000
const largestBill = 67_108_864

/** Such as 2026-09-03 16:05:00, in China. */
const chinaTime = (at: number) => new Date(at + chinaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
const timeInChina = (text: unknown): number => Date.parse(`${String(text).replace(' ', 'T')}+08:00`)

/** Alipay: precreate for QR codes, page pay for redirects. */
export function createAlipay(settings: AlipaySettings, clock: () => number): PaymentProvider {
  const { appId, sellerId, privateKey, publicKey, notifyUrl } = settings
  const gateway = new URL(settings.gatewayUrl)
  const exchange = createExchange(gateway.origin, settings.timeoutMs)
  const billHosts = new Map<string, PaymentExchange>()

  function signedParameters(method: string, content: object, at: number, more: Record<string, string> = {}) {
    const parameters: Record<string, string> = {
      app_id: appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: chinaTime(at),
      version: '1.0',
      ...more,
      biz_content: JSON.stringify(content),
    }
    return new URLSearchParams({ ...parameters, sign: signParameters(parameters, privateKey) })
  }

  /** A response counts only if Alipay signed it. */
  async function call(method: string, content: object, more?: Record<string, string>): Promise<AlipayResponse> {
    const response = await exchange.send({
      method: 'POST',
      path: gateway.pathname + gateway.search,
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
      body: signedParameters(method, content, clock(), more).toString(),
    })
    const text = response.body.toString('utf8')
    const part = signedPart(text, `${method.replaceAll('.', '_')}_response`)
    const json = part === undefined ? undefined : jsonObject(part)
    if (response.status !== 200 || part === undefined || !json)
      throw new PaymentFault(`Alipay answered ${response.status} without a result`)
    const { code, sub_code: subCode } = json
    const signature = jsonObject(text)?.sign
    if (typeof signature !== 'string' || !isSigned(part, signature, publicKey))
      throw new PaymentFault('a response from Alipay is not signed')
    if (code === '20000' || subCode === 'ACQ.SYSTEM_ERROR' || subCode === 'aop.ACQ.SYSTEM_ERROR')
      throw new PaymentFault(`Alipay failed: ${brief(subCode)}`)
    return { isSuccess: code === '10000', json, subCode: String(subCode ?? code) }
  }

  const orderOf = (payment: NewPayment) => ({
    out_trade_no: payment.paymentId,
    total_amount: yuanOfFen(payment.amountFen),
    subject: 'API credits',
    seller_id: sellerId,
    time_expire: chinaTime(payment.expiresAt),
  })

  return {
    async create(payment) {
      const notify = { notify_url: notifyUrl }
      if (payment.display === 'redirect') {
        const content = { ...orderOf(payment), product_code: 'FAST_INSTANT_TRADE_PAY' }
        const query = signedParameters('alipay.trade.page.pay', content, clock(), notify)
        const redirectUrl = `${gateway.origin}${gateway.pathname}?${query}`
        return { kind: 'created', qrText: null, redirectUrl }
      }
      const { isSuccess, json, subCode } = await call('alipay.trade.precreate', orderOf(payment), notify)
      if (!isSuccess) return notCreated(subCode)
      if (typeof json.qr_code !== 'string') throw new PaymentFault('Alipay answered without a QR code')
      return { kind: 'created', qrText: json.qr_code, redirectUrl: null }
    },
    async query(paymentId) {
      const { isSuccess, json, subCode } = await call('alipay.trade.query', { out_trade_no: paymentId })
      if (isSuccess) return queriedOf(json, paymentId, clock())
      // A trade exists only once its code was scanned.
      if (subCode === 'ACQ.TRADE_NOT_EXIST') return { kind: 'unknown' }
      throw new PaymentFault(`Alipay refused the query: ${brief(subCode)}`)
    },
    /** Never `cancel`, which would pay a paid one back. */
    async close(paymentId) {
      const { isSuccess, subCode } = await call('alipay.trade.close', { out_trade_no: paymentId })
      if (isSuccess || subCode === 'ACQ.TRADE_NOT_EXIST' || subCode === 'ACQ.TRADE_STATUS_ERROR') return
      if (subCode === 'ACQ.REASON_TRADE_STATUS_INVALID' || subCode === 'ACQ.REASON_ILLEGAL_STATUS') return
      throw new PaymentFault(`Alipay refused to close the payment: ${brief(subCode)}`)
    },
    async refund({ refundId, amountFen, reason, ...refund }) {
      const { isSuccess, json, subCode } = await call('alipay.trade.refund', {
        ...tradeOf(refund),
        refund_amount: yuanOfFen(amountFen),
        out_request_no: refundId,
        refund_reason: reason.slice(0, 200),
      })
      if (isSuccess && json.fund_change === 'Y') return { kind: 'refunded', providerRefundId: null }
      return refundState(call, { trade: tradeOf(refund), refundId, refusal: isSuccess ? null : brief(subCode) })
    },
    async bill(date) {
      const method = 'alipay.data.dataservice.bill.downloadurl.query'
      const { isSuccess, json, subCode } = await call(method, { bill_type: 'trade', bill_date: date })
      if (/bill_not_exist/i.test(subCode)) return null
      if (!isSuccess || typeof json.bill_download_url !== 'string')
        throw new PaymentFault(`Alipay refused the bill: ${brief(subCode)}`)
      return alipayBillLines(await download(billAddress(json.bill_download_url, gateway)))
    },
    async readCallback({ body }) {
      const parameters = Object.fromEntries(new URLSearchParams(Buffer.from(body).toString('utf8')))
      if (!parameters.notify_id || parameters.app_id !== appId || !isCallbackSigned(parameters, publicKey)) return null
      if (parameters.seller_id !== undefined && parameters.seller_id !== sellerId) return null
      return { eventId: parameters.notify_id, paymentId: parameters.out_trade_no ?? null }
    },
    callbackResponse: (isAccepted) => ({ contentType: 'text/plain', body: isAccepted ? 'success' : 'failure' }),
    async check() {
      const { isSuccess, subCode } = await call('alipay.trade.query', { out_trade_no: unknownPayment })
      if (!isSuccess && subCode !== 'ACQ.TRADE_NOT_EXIST') throw new PaymentFault(`Alipay refused: ${brief(subCode)}`)
      exchange.checkClock()
      return 'Alipay answered, and its signature is right'
    },
    stop: () => Promise.all([exchange, ...billHosts.values()].map(({ stop }) => stop())),
  }

  async function download(url: URL): Promise<Buffer> {
    const isOwn = url.origin === gateway.origin
    if (!isOwn && !billHosts.has(url.origin) && billHosts.size < 4)
      billHosts.set(url.origin, createExchange(url.origin, settings.timeoutMs))
    const host = isOwn ? exchange : billHosts.get(url.origin)
    if (!host) throw new PaymentFault('bills came from too many hosts')
    const path = url.pathname + url.search
    const { status, body } = await host.send({ method: 'GET', path, headers: {}, maxBytes: largestBill })
    if (status !== 200) throw new PaymentFault(`the bill cannot be downloaded: status ${status}`)
    return body
  }
}

interface AlipayResponse {
  readonly isSuccess: boolean
  readonly json: Record<string, unknown>
  readonly subCode: string
}

type AlipayCall = (method: string, content: object) => Promise<AlipayResponse>

const tradeOf = ({ paymentId, transactionId }: Pick<NewRefund, 'paymentId' | 'transactionId'>) =>
  transactionId === undefined ? { out_trade_no: paymentId } : { trade_no: transactionId }

interface QueriedRefund {
  readonly trade: ReturnType<typeof tradeOf>
  readonly refundId: string
  readonly refusal: string | null
}

/** A repeat of a refund says only that nothing changed with it; an earlier attempt may have succeeded before a refusal. */
async function refundState(call: AlipayCall, { trade, refundId, refusal }: QueriedRefund): Promise<RefundResponse> {
  const content = { ...trade, out_request_no: refundId }
  const { isSuccess, json, subCode } = await call('alipay.trade.fastpay.refund.query', content)
  if (isSuccess && json.refund_status === 'REFUND_SUCCESS') return { kind: 'refunded', providerRefundId: null }
  if (refusal === null) return { kind: 'pending', providerRefundId: null }
  if (isSuccess || subCode === 'ACQ.TRADE_NOT_EXIST') return { kind: 'refused', reason: refusal }
  throw new PaymentFault(`Alipay refused the refund (${refusal}), and then its query: ${brief(subCode)}`)
}

const endedCodes: ReadonlySet<string> = new Set([
  'ACQ.TRADE_HAS_SUCCESS',
  'ACQ.TRADE_HAS_CLOSE',
  'ACQ.TRADE_STATUS_ERROR',
])

/** Paid or closed there already: the query decides. */
function notCreated(code: string) {
  if (endedCodes.has(code)) throw new PaymentFault(`Alipay did not create the payment: ${brief(code)}`)
  return { kind: 'refused', reason: brief(code) } as const
}

/** `at` replaces a time that the response lacks. */
function queriedOf(json: Record<string, unknown>, paymentId: string, at: number): QueriedPayment {
  if (json.out_trade_no !== paymentId) throw new PaymentFault('Alipay answered about another payment')
  switch (json.trade_status) {
    case 'TRADE_SUCCESS':
    case 'TRADE_FINISHED': {
      const amountFen = fenOfYuan(String(json.total_amount))
      const time = timeInChina(json.send_pay_date)
      const paidAt = Number.isNaN(time) ? at : time
      if (typeof json.trade_no !== 'string' || amountFen === null)
        throw new PaymentFault('Alipay answered without the amount or the trade')
      const currency = String(json.trans_currency ?? json.pay_currency ?? cny)
      const paid = { kind: 'paid', transactionId: json.trade_no, amountFen, currency, paidAt } as const
      const refundedFen = refundedIn(json)
      return refundedFen === 0 ? { ...paid, mayBeRefunded: true } : { ...paid, refundedFen }
    }
    case 'WAIT_BUYER_PAY':
      return { kind: 'waiting' }
    case 'TRADE_CLOSED':
      return { kind: 'closed' }
    default:
      throw new PaymentFault(`Alipay answered with the state ${brief(json.trade_status)}`)
  }
}

/**
 * What a partial refund has paid back: a paid trade keeps its state until everything is. Null if it cannot be read. The query is not
 * documented to say it, and the query of refunds asks for a request number, which a refund by hand does not share with us.
 */
function refundedIn(json: Record<string, unknown>): number | null {
  const stated = [json.refund_fee, json.refund_amount].filter((amount) => amount !== undefined && amount !== '')
  const amounts = stated.map((amount) => fenOfYuan(String(amount)))
  return amounts.includes(null) ? null : Math.max(0, ...(amounts as number[]))
}
