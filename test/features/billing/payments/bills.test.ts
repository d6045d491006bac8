import { describe, expect, it } from 'vitest'
import { Formatter } from 'wechatpay-axios-plugin'
import { alipayBillLines, billAddress } from '../../../../src/providers/payments/alipay-bill.ts'
import { wechatBillLines } from '../../../../src/providers/payments/wechat-bill.ts'
import { alipayBill, gbk, zipOf } from '../../../../testkit/payments/gbk-zip.ts'

const head =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const row = (changes: Readonly<Record<string, string>>) => {
  const usual: Record<string, string> = {
    ...{ 交易时间: '2026-09-03 16:05:00', 商户号: '1900000001', 微信订单号: '4200001', 商户订单号: 'pay_1' },
    ...{ 交易状态: 'SUCCESS', 货币种类: 'CNY', 应结订单金额: '9.90', 退款金额: '0.00', 商品名称: 'API, credits' },
    ...{ 订单金额: '10.00', 申请退款金额: '0.00', ...changes },
  }
  return head
    .split(',')
    .map((name) => `\`${usual[name] ?? ''}`)
    .join(',')
}
const wechatBill = (...rows: string[]) =>
  [
    `\uFEFF${head}`,
    ...rows,
    '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额',
    '`2,`9.90,`5.00,`0.00,`0.06000,`10.00,`5.00',
    '',
  ].join('\r\n')

describe('a bill of WeChat Pay', () => {
  const refund = {
    ...{ 交易状态: 'REFUND', 微信退款单号: '5000001', 商户退款单号: 'rfd_1', 退款金额: '4.95' },
    ...{ 申请退款金额: '5.00', 应结订单金额: '0.00', 订单金额: '0.00' },
  }

  it('a bill of WeChat Pay has the payments and refunds with what was asked for, not what was settled', () => {
    const lines = wechatBillLines(wechatBill(row({}), row(refund), row({ 商户订单号: 'pay_2', 货币种类: 'HKD' })))
    expect(lines).toEqual([
      {
        kind: 'payment',
        paymentId: 'pay_1',
        transactionId: '4200001',
        refundId: null,
        amountFen: 1000,
        currency: 'CNY',
      },
      {
        kind: 'refund',
        paymentId: 'pay_1',
        transactionId: '4200001',
        refundId: 'rfd_1',
        amountFen: 500,
        currency: 'CNY',
      },
      {
        kind: 'payment',
        paymentId: 'pay_2',
        transactionId: '4200001',
        refundId: null,
        amountFen: 1000,
        currency: 'HKD',
      },
    ])
  })

  it('a bill of WeChat Pay has the same fields as for the public client', () => {
    const text = wechatBill(row({}), row(refund))
    const { rows } = Formatter.castCsvBill(Buffer.from(text)) as unknown as { rows: Record<string, string>[] }
    expect(wechatBillLines(text).map((line) => [line.paymentId, line.transactionId])).toEqual(
      rows.map((one) => [one.商户订单号, one.微信订单号]),
    )
  })

  it.each([
    ['other columns', '\uFEFF状态,金额\r\n`SUCCESS,`1.00'],
    ['an amount that is no number', wechatBill(row({ 订单金额: 'ten', 应结订单金额: '' }))],
    ['an amount with parts of a fen', wechatBill(row({ 订单金额: '1.001', 应结订单金额: '1.001' }))],
    ['an error in its place', '{"code":"SYSTEM_ERROR"}'],
  ])('a bill of WeChat Pay with %s is refused as a whole', (_, text) => {
    expect(() => wechatBillLines(text)).toThrow(/bill/)
  })
})

describe('a bill of Alipay', () => {
  it('a bill of Alipay is found in the archive and read in GBK, with its refunds', async () => {
    const zip = alipayBill([
      { tradeNo: '2026090322001', paymentId: 'pay_1', yuan: '10.00' },
      { tradeNo: '2026090322001', paymentId: 'pay_1', yuan: '-5.00', refundId: 'rfd_1' },
    ])
    const common = { paymentId: 'pay_1', transactionId: '2026090322001', currency: 'CNY' }
    expect(await alipayBillLines(zip)).toEqual([
      { ...common, kind: 'payment', refundId: null, amountFen: 1000 },
      { ...common, kind: 'refund', refundId: 'rfd_1', amountFen: 500 },
    ])
    expect(await alipayBillLines(alipayBill([]))).toEqual([])
  })

  const whole = alipayBill([{ tradeNo: '1', paymentId: 'pay_1', yuan: '10.00' }])
  it.each([
    ['an archive that was cut', whole.subarray(0, whole.length - 30)],
    ['no archive', Buffer.from('<html>busy</html>')],
    ['nothing', Buffer.alloc(0)],
    ['an archive without details', zipOf([{ name: 'x.csv', content: gbk('门店编号,合计') }])],
    ['a line without an amount', alipayBill([{ tradeNo: '1', paymentId: 'pay_1', yuan: '' }])],
    ['a damaged directory', Buffer.concat([whole.subarray(0, 60), Buffer.alloc(400), whole.subarray(460)])],
    ['three files', zipOf(['1', '2', '3'].map((name) => ({ name, content: gbk('门店编号,合计') })))],
    ['a row without an end', zipOf([{ name: 'x', content: Buffer.alloc(1_000_000, 'x') }])],
  ])('%s is refused as a whole', async (_, zip) => {
    await expect(alipayBillLines(zip)).rejects.toMatchObject({ name: 'PaymentFault' })
  })

  it('a bill unpacks to 64 MB at most, all files together, in the thread pool', async () => {
    const content = Buffer.alloc(40_000_000, `${'x'.repeat(998)}\r\n`)
    const bomb = zipOf(['a', 'b'].map((name) => ({ name, content })))
    expect(bomb.length).toBeLessThan(300_000)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    })
    await expect(alipayBillLines(bomb)).rejects.toMatchObject({
      message: 'the archive unpacks to more than is allowed',
    })
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })

  it('a bill is downloaded from Alipay over https, or from the gateway that is configured', () => {
    const gateway = new URL('http://127.0.0.1:9999/gateway.do')
    const hrefOf = (text: string) => billAddress(text, gateway).href
    expect(hrefOf('http://dwbillcenter.alipay.com/file?id=1')).toBe('https://dwbillcenter.alipay.com/file?id=1')
    expect(hrefOf('https://dwbillcenter.alipay.com/file')).toBe('https://dwbillcenter.alipay.com/file')
    expect(hrefOf('http://127.0.0.1:9999/bill.zip')).toBe('http://127.0.0.1:9999/bill.zip')
    for (const text of [
      'http://127.0.0.1:9998/',
      'https://evil.example/',
      'https://x.alipay.com:444/',
      'ftp://x.alipay.com/',
    ])
      expect(() => hrefOf(text)).toThrow('on another host')
  })

  it.each([1, 2])('the limit counts what file %i has unpacked', async (count) => {
    const files = Array.from({ length: count }, (_, index) => ({ name: `${index}`, content: Buffer.alloc(1000, '\n') }))
    const read = (maxBytes: number) => alipayBillLines(zipOf(files), { maxFiles: 2, maxBytes })
    await expect(read(1000 * count)).rejects.toMatchObject({ message: 'the bill has no detail file' })
    await expect(read(1000 * count - 1)).rejects.toMatchObject({
      message: 'the archive unpacks to more than is allowed',
    })
  })
})
