import { createCipheriv, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { randomBytes } from '../../base/randomness.ts'
import { dayMs, dayOfText, startOfDay } from '../../base/time.ts'
import { currency as cny } from '../../contract/prices.ts'
import { jsonObject } from './exchange.ts'
import { type BillLine, PaymentFault, type PaymentProvider, type RawCallback } from './payment-provider.ts'
import { decryptResource, type EncryptedResource, isRecent, isSignedBy, newNonce } from './wechat-signature.ts'

export interface SimulatedTrade {
  readonly tradeId: string
  readonly amountFen: number
  readonly currency: string
  readonly state: 'open' | 'closed'
  readonly expiresAt: number
  readonly createdAt: number
}

export interface SimulatedTransaction {
  readonly transactionId: string
  readonly tradeId: string
  readonly kind: 'payment' | 'refund'
  readonly amountFen: number
  readonly currency: string
  readonly refundId: string | null
  readonly at: number
}

/** What the provider itself records, apart from the gateway's tables. */
export interface SimulatedRecords {
  /** Opens a trade unless it is there. */
  readonly open: (trade: SimulatedTrade) => Promise<void>
  readonly find: (
    tradeId: string,
  ) => Promise<{ trade: SimulatedTrade; transactions: readonly SimulatedTransaction[] } | undefined>
  readonly close: (tradeId: string) => Promise<void>
  readonly add: (transaction: SimulatedTransaction) => Promise<void>
  readonly between: (from: number, to: number) => Promise<readonly SimulatedTransaction[]>
}

/** The faults that the provider can be set to make. */
export const lies = [
  'callback_lost',
  'callback_twice',
  'callback_forged',
  'callback_other_order',
  'create_lost',
  'query_not_paid',
  'query_wrong_currency',
  'close_lies',
  'refund_unclear',
  'bill_missing',
  'down',
] as const
export type Lie = (typeof lies)[number]

export interface SimulatedOptions {
  readonly records: SimulatedRecords
  readonly clock: () => number
  /** The address of the page where a trade is paid. */
  readonly pageOf: (tradeId: string) => string
}

const serial = 'PUB_KEY_ID_SIMULATED'

let keys: { publicKey: KeyObject; privateKey: KeyObject } | undefined

/** One pair for the whole process, made when first needed, because it takes a while. */
function signingKeys() {
  keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return keys
}

/** A payment provider of ours: its callbacks are signed and encrypted like those of WeChat Pay. */
export function createSimulated({ records, clock, pageOf }: SimulatedOptions) {
  const active = new Set<Lie>()
  const apiKey = randomBytes(32)
  const up = () => {
    if (active.has('down')) throw new PaymentFault('the simulated provider is down')
  }

  const provider: PaymentProvider = {
    async create({ paymentId, amountFen, display, createdAt, expiresAt }) {
      up()
      await records.open({ tradeId: paymentId, amountFen, currency: cny, state: 'open', expiresAt, createdAt })
      if (active.has('create_lost')) throw new PaymentFault('the simulated provider lost its response')
      const page = pageOf(paymentId)
      return { kind: 'created', qrText: display === 'qr' ? page : null, redirectUrl: display === 'qr' ? null : page }
    },
    async query(paymentId) {
      up()
      const found = await records.find(paymentId)
      if (!found) return { kind: 'unknown' }
      const paid = found.transactions.findLast(({ kind }) => kind === 'payment')
      if (!paid || active.has('query_not_paid')) return { kind: found.trade.state === 'closed' ? 'closed' : 'waiting' }
      const { transactionId, amountFen, at: paidAt } = paid
      const currency = active.has('query_wrong_currency') ? 'USD' : paid.currency
      return { kind: 'paid', transactionId, amountFen, currency, paidAt }
    },
    async close(paymentId) {
      up()
      if (!active.has('close_lies')) await records.close(paymentId)
    },
    async refund({ refundId, paymentId, amountFen }) {
      up()
      if (active.has('refund_unclear')) return { kind: 'unclear', reason: 'ABNORMAL' }
      const found = await records.find(paymentId)
      const earlier = found?.transactions.find((row) => row.refundId === refundId)
      if (earlier) return { kind: 'refunded', providerRefundId: earlier.transactionId }
      const sum = (kind: SimulatedTransaction['kind']) =>
        (found?.transactions ?? []).filter((row) => row.kind === kind).reduce((total, row) => total + row.amountFen, 0)
      if (sum('payment') - sum('refund') < amountFen) return { kind: 'refused', reason: 'NOT_ENOUGH' }
      const transactionId = newNonce()
      const kind = 'refund'
      await records.add({ transactionId, tradeId: paymentId, kind, amountFen, currency: cny, refundId, at: clock() })
      return { kind: 'refunded', providerRefundId: transactionId }
    },
    async bill(date) {
      up()
      const from = startOfDay(dayOfText(date))
      const rows = await records.between(from, from + dayMs)
      if (rows.length === 0) return null
      return rows.slice(active.has('bill_missing') ? 1 : 0).map(lineOf)
    },
    async readCallback({ header, body, at }) {
      const message = { header, body }
      if (header('wechatpay-serial') !== serial || !isRecent(message, at) || !keys) return null
      if (!isSignedBy(keys.publicKey, message)) return null
      const event = jsonObject(Buffer.from(body).toString('utf8'))
      const resource = jsonObject(decryptResource(apiKey, event?.resource as EncryptedResource))
      return { eventId: String(event?.id), paymentId: String(resource?.out_trade_no) }
    },
    callbackResponse: (isAccepted) => ({
      contentType: 'application/json',
      body: JSON.stringify({ code: isAccepted ? 'SUCCESS' : 'FAIL', message: isAccepted ? 'OK' : 'not accepted' }),
    }),
  }

  /** The bytes of a callback about a trade. */
  function callbackOf(tradeId: string, isForged: boolean): Omit<RawCallback, 'at'> {
    const nonce = newNonce().slice(0, 12)
    const cipher = createCipheriv('aes-256-gcm', apiKey, nonce).setAAD(Buffer.from('transaction'))
    const plain = JSON.stringify({ out_trade_no: tradeId, trade_state: 'SUCCESS' })
    const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
    const resource = { ciphertext: ciphertext.toString('base64'), nonce, associated_data: 'transaction' }
    const body = Buffer.from(JSON.stringify({ id: newNonce(), event_type: 'TRANSACTION.SUCCESS', resource }))
    const timestamp = String(Math.floor(clock() / 1000))
    const { privateKey } = signingKeys()
    const signature = createSign('RSA-SHA256').update(`${timestamp}\n${nonce}\n`).update(body).update('\n')
    const headers: Record<string, string> = {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-serial': serial,
      'wechatpay-signature': isForged ? 'Zm9yZ2Vk' : signature.sign(privateKey, 'base64'),
    }
    return { header: (name) => headers[name], body }
  }

  return {
    provider,
    lies: active,
    /** Adds a payment to the records. */
    pay: (tradeId: string, amountFen: number) =>
      records.add({
        ...{ transactionId: newNonce(), tradeId, kind: 'payment', amountFen, currency: cny },
        ...{ refundId: null, at: clock() },
      }),
    /** The callbacks that follow a payment, with the faults that are set. */
    callbacksAfter(tradeId: string): Omit<RawCallback, 'at'>[] {
      if (active.has('callback_lost') || active.has('down')) return []
      const named = active.has('callback_other_order')
        ? `${tradeId.slice(0, -1)}${tradeId.endsWith('0') ? '1' : '0'}`
        : tradeId
      const callback = callbackOf(named, active.has('callback_forged'))
      return active.has('callback_twice') ? [callback, callback] : [callback]
    },
  }
}

export type Simulated = ReturnType<typeof createSimulated>

const lineOf = ({ kind, tradeId, transactionId, refundId, amountFen, currency }: SimulatedTransaction): BillLine => ({
  kind,
  paymentId: tradeId,
  transactionId,
  refundId,
  amountFen,
  currency,
})
