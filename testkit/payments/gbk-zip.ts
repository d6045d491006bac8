import { crc32, deflateRawSync } from 'node:zlib'

const codes = new Map<string, number>()

/** GBK, which Node reads but does not write. */
export function gbk(text: string): Buffer {
  if (codes.size === 0) {
    const decoder = new TextDecoder('gbk')
    for (let lead = 0x81; lead <= 0xfe; lead += 1)
      for (let trail = 0x40; trail <= 0xfe; trail += 1)
        codes.set(decoder.decode(Uint8Array.of(lead, trail)), lead * 256 + trail)
  }
  return Buffer.concat(
    [...text].map((character) => {
      const code = character.charCodeAt(0) < 0x80 ? character.charCodeAt(0) : codes.get(character)!
      return Buffer.from(code < 0x80 ? [code] : [code >> 8, code & 0xff])
    }),
  )
}

/** A ZIP archive; a file is compressed unless it is to be stored. */
export function zipOf(files: readonly { readonly name: string; readonly content: Buffer; readonly isStored?: true }[]) {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, isStored } of files) {
    const [own, bytes] = [gbk(name), isStored ? content : deflateRawSync(content)]
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(isStored ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(bytes.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(own.length, 22)
    bodies.push(Buffer.from('PK\x03\x04'), fields, own, bytes)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, rest, own)
    at += 30 + own.length + bytes.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...bodies, ...directory, Buffer.from('PK\x05\x06'), end])
}

const columns =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'

export interface AlipayBillRow {
  readonly tradeNo: string
  readonly paymentId: string
  readonly yuan: string
  readonly refundId?: string
}

/** A bill as Alipay makes it: the details and the totals, in GBK, in one archive. */
export function alipayBill(rows: readonly AlipayBillRow[]): Buffer {
  const lines = rows.map(({ tradeNo, paymentId, yuan, refundId = '' }) =>
    [
      ...[`${tradeNo}\t`, `${paymentId}\t`, refundId ? '退款' : '交易', 'API credits'],
      ...['2026-09-03 16:04:00', '2026-09-03 16:05:00', '', '', '', '', '*三(138****0000)', yuan, yuan],
      ...['0.00', '0.00', '0.00', '0.00', '0.00', '', '0.00', '0.00', `${refundId}\t`, '-0.01', '0.00', '中文'],
    ].join(','),
  )
  const details = [
    ...['#支付宝业务明细查询', '#账号：[20880000000000010156]', '#起始日期：[2026年09月03日 00:00:00]'],
    ...['#-----------------------------------------业务明细列表----------------------------------------', columns],
    ...lines,
    ...['#-----------------------------------------业务明细列表结束------------------------------------', '#导出时间'],
  ]
  const totals = ['#支付宝业务汇总查询', '门店编号,门店名称,交易订单总笔数,退款订单总笔数', '合计,,1,0']
  return zipOf([
    { name: '20880000000000010156_20260903_业务明细(汇总).csv', content: gbk(totals.join('\r\n')), isStored: true },
    { name: '20880000000000010156_20260903_业务明细.csv', content: gbk(`${details.join('\r\n')}\r\n`) },
  ])
}
