import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors } from '../../../src/contract/errors.ts'
import { reasons } from '../../../src/contract/reasons.ts'
import type { LedgerRange } from '../../../src/features/records/archives/store.ts'
import { createExports, csvLine } from '../../../src/features/records/reports/exports.ts'
import { usageColumns } from '../../../src/features/records/reports/file-columns.ts'
import { entryFilterOf } from '../../../src/features/records/reports/ledger.ts'
import { inTurns } from '../../../src/features/records/reports/read-turns.ts'
import type { EntryRow, ReportStore } from '../../../src/features/records/reports/store.ts'
import { createConsoleStore } from '../../../src/features/records/reports/store.ts'
import { look } from '../../../testkit/gateway/console-contract.ts'
import { type Gateway, type HttpResponse, startGateway, TestClock } from '../../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../../testkit/gateway/paying-customer.ts'
import { httpEngines, openDatabase } from '../../../testkit/store/engines.ts'
import { seedCharges } from '../../../testkit/store/seed-charges.ts'

/** Parses like a spreadsheet program: RFC 4180 records after a byte order mark. */
function recordsOf(text: string): string[][] {
  const records: string[][] = []
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  let record: string[] = []
  for (let match = field.exec(text); match; match = field.exec(text)) {
    record.push(match[1]!.replace(/^"([\s\S]*)"$/, '$1').replaceAll('""', '"'))
    if (match[2] === ',') continue
    records.push(record)
    record = []
  }
  return records
}

const recordsIn = async (file: Promise<Readable>) => recordsOf((await text(await file)).replace(/^\uFEFF/, ''))

describe.each(httpEngines)('exports on %s', (engine) => {
  const clock = new TestClock()
  clock.now = Date.UTC(2026, 7, 31, 8)
  let gateway: Gateway
  let customer: PayingCustomer
  let owner: { projectId: string; keyId: string }
  const injection = '=HYPERLINK("http://evil.test";"x")'
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read, file: { sessions: { lifetimeSeconds: 8_640_000 } } })
    customer = await PayingCustomer.join(gateway)
    const { keyId } = (await look(customer.browser, 'console.keys.list')).items[0]
    owner = { projectId: customer.projectId, keyId }
    // The last millisecond of a day in Shanghai, and the first of the next.
    const midnight = Date.UTC(2026, 8, 1, 16)
    await seedCharges(gateway.database, owner, [
      { at: midnight - 1, state: 'released', reason: 'PROVIDER_UNAVAILABLE' },
      { at: midnight, state: 'manual_review', reason: 'PROVIDER_TIMED_OUT', requestId: injection },
      { at: midnight + 86_400_000 },
    ])
    clock.now = Date.UTC(2026, 8, 10, 8)
    await customer.call('model.chat', { prompt: 'hello' })
    clock.advanceSeconds(86_400)
    await customer.call('model.chat', { prompt: 'hello' })
  })
  afterAll(() => gateway.stop())

  const download = async (path: string): Promise<HttpResponse & { records: string[][] }> => {
    const response = await customer.browser.get(`/v1/console/${path}`)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    return { ...response, records: recordsOf(response.text.replace(/^\uFEFF/, '')) }
  }

  test('exports of usage list every charge in Shanghai time, and are served as a download', async () => {
    const { records, headers } = await download('usage.csv')
    expect(headers['content-disposition']).toBe('attachment; filename="usage-2026-09-11.csv"')
    const [columns, ...rows] = records
    // Programs read these by their place, so that others come after them.
    expect(columns!.slice(0, 13)).toEqual([
      ...['chargeId', 'operation', 'credits', 'state', 'keyId', 'keyDisplayPrefix', 'requestId'],
      ...['reservedAt (Asia/Shanghai)', 'endedAt (Asia/Shanghai)', 'reasonCode', 'reasonText', 'keyName'],
      'upstreamCode',
    ])
    const { items } = await look(customer.browser, 'console.usage.list')
    expect(rows.map(([chargeId]) => chargeId)).toEqual(items.map((row: { chargeId: string }) => row.chargeId))
    expect(rows[0]!.slice(1, 4)).toEqual(['model.chat', '3', 'settled'])
    expect(rows[0]![7]).toBe('2026-09-11 16:00:00.000')
    expect(rows[4]!.slice(7, 12)).toEqual([
      '2026-09-01 23:59:59.999',
      '2026-09-02 00:00:00.019',
      'PROVIDER_UNAVAILABLE',
      'The provider is unavailable.',
      '',
    ])
    expect(rows[3]!.slice(9, 12)).toEqual(['PROVIDER_TIMED_OUT', reasons.PROVIDER_TIMED_OUT, ''])
  })

  test('exports of usage have the model, latency and tokens of a call', async () => {
    const [columns, newest] = (await download('usage.csv')).records
    const [charge] = (await look(customer.browser, 'console.usage.list')).items
    expect(columns!.slice(13)).toEqual(['model', 'latencyMs', 'inputTokens', 'outputTokens'])
    const { inputUnits, outputUnits } = charge.usage
    expect(newest!.slice(13)).toEqual([charge.model, charge.latencyMs, inputUnits, outputUnits].map(String))
  })

  test('exports are in Chinese on request, headings, states and reasons', async () => {
    const [columns, ...rows] = (await download('usage.csv?language=zh')).records
    expect(columns!.every((title) => /\p{Script=Han}/u.test(title))).toBe(true)
    expect(rows[0]!.slice(1, 4)).toEqual(['模型对话', '3', '已扣费'])
    expect(rows[3]![3]).toBe('待确认')
    expect(rows[3]!.slice(9, 11)).toEqual(['PROVIDER_TIMED_OUT', '服务商未在规定时间内响应。'])
    expect(rows[4]!.slice(9, 11)).toEqual(['PROVIDER_UNAVAILABLE', errors.PROVIDER_UNAVAILABLE.console.zh])
    const [titles, ...entries] = (await download('ledger.csv?language=zh')).records
    expect(titles!.slice(0, 3)).toEqual(['序号', '类型', '点数'])
    expect(entries[0]!.slice(0, 2)).toEqual(['11', '扣费'])
    expect((await customer.browser.get('/v1/console/usage.csv?language=fr')).status).toBe(400)
  })

  test('exports stop a spreadsheet from running text that looks like a formula', async () => {
    const { records, text } = await download('usage.csv?from=2026-09-02&to=2026-09-02')
    expect(records).toHaveLength(2)
    expect(records[1]![6]).toBe(`'${injection}`)
    expect(text).toContain(`,"'=HYPERLINK(""http://evil.test"";""x"")",`)
  })

  test('exports of usage cover the requested days, first and last included', async () => {
    const times = async (query: string) => (await download(`usage.csv?${query}`)).records.slice(1).map((row) => row[7])
    expect(await times('to=2026-09-01')).toEqual(['2026-09-01 23:59:59.999'])
    expect(await times('from=2026-09-02&to=2026-09-03')).toEqual(['2026-09-03 00:00:00.000', '2026-09-02 00:00:00.000'])
    expect(await times('from=2026-09-12')).toEqual([])
    expect((await download('usage.csv?from=2026-09-01&to=2026-09-02')).headers['content-disposition']).toBe(
      'attachment; filename="usage-2026-09-01-2026-09-02.csv"',
    )
  })

  test('exports of the ledger list every entry of the requested days with the balance after it', async () => {
    const [columns, ...rows] = (await download('ledger.csv')).records
    expect(columns).toEqual([
      ...['seq', 'kind', 'amount', 'available', 'reserved', 'chargeId', 'operation', 'creditLotId', 'orderId'],
      'enteredAt (Asia/Shanghai)',
      'reference',
      ...['orderFen', 'paidFen', 'paidAt (Asia/Shanghai)'],
    ])
    const { items } = await look(customer.browser, 'console.ledger.list')
    expect(rows.map((row) => row.slice(0, 5))).toEqual(
      items.map((entry: Record<string, unknown>) =>
        [entry.seq, entry.kind, entry.amount, entry.available, entry.reserved].map(String),
      ),
    )
    const seqs = async (query: string) => (await download(`ledger.csv?${query}`)).records.slice(1).map((row) => row[0])
    expect(await seqs('from=2026-09-11')).toEqual(['11', '10'])
    expect(await seqs('to=2026-09-01')).toEqual(['2', '1'])
    expect(await seqs('from=2026-09-02&to=2026-09-10')).toEqual(['9', '8', '7', '6', '5', '4', '3'])
    expect(await seqs('to=2026-08-30')).toEqual([])
  })

  test('exports of the ledger include entries recorded late or by a fast clock', async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    const someone = await PayingCustomer.join(gateway, { amountFen: 0 })
    const noon = Date.UTC(2026, 6, 1, 4)
    const minute = 60_000
    // One entry each minute, every 7th of which is 29 minutes late and every 11th 29 minutes early.
    const at = (seq: number) => noon + seq * minute + (seq % 7 === 0 ? -29 : seq % 11 === 0 ? 29 : 0) * minute
    await store.write(async (tx) => {
      await tx.run('UPDATE balances SET entries = 3000, last_entry_id = 1003000 WHERE project_id = $1', [
        someone.projectId,
      ])
      await tx.run(
        `WITH RECURSIVE n (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < 3000)
        INSERT INTO ledger_entries (entry_id, previous_id, project_id, seq, kind, amount, available, reserved, entered_at)
        SELECT 1000000 + seq, CASE WHEN seq > 1 THEN 999999 + seq END, $1, seq, 'review', 1, 0, 0, ${noon} + CAST(seq AS BIGINT) * ${minute}
          + CASE WHEN seq % 7 = 0 THEN -29 WHEN seq % 11 = 0 THEN 29 ELSE 0 END * ${minute} FROM n`,
        [someone.projectId],
      )
    })
    await store.close()
    const start = Date.UTC(2026, 6, 1, 16)
    const expected = Array.from({ length: 3000 }, (_, i) => 3000 - i).filter(
      (seq) => at(seq) >= start && at(seq) < start + 86_400_000,
    )
    const response = await someone.browser.get('/v1/console/ledger.csv?from=2026-07-02&to=2026-07-02')
    const seqs = recordsOf(response.text.replace(/^\uFEFF/, ''))
      .slice(1)
      .map(([seq]) => Number(seq))
    expect(seqs).toEqual(expected)
  })

  test('exports say in their last line that they were truncated', async () => {
    const store = await openDatabase(gateway.database, { exclusive: false })
    const exports = createExports(createConsoleStore(store), { rowsLimit: 4 })
    const cut = await recordsIn(exports.usage(customer.projectId, {}))
    expect(cut).toHaveLength(6)
    expect(cut.at(-1)).toEqual(['This file was cut after 4 rows. Ask for fewer days.'])
    const whole = createExports(createConsoleStore(store), { rowsLimit: 5 })
    expect((await recordsIn(whole.usage(customer.projectId, {}))).at(-1)).toHaveLength(usageColumns.length)
    expect(await recordsIn(exports.ledger(customer.projectId, { from: '2026-09-11' }))).toHaveLength(3)
    await store.close()
  })

  test('exports begin with a byte order mark, and are compressed for clients that accept it', async () => {
    const get = async (encoding: string) => {
      const headers = { host: 'localhost:8787', cookie: customer.browser.cookie!, 'accept-encoding': encoding }
      const reply = await request(`http://127.0.0.1:${gateway.app.public.port}/v1/console/usage.csv`, { headers })
      return { headers: reply.headers, bytes: Buffer.from(await reply.body.arrayBuffer()) }
    }
    const plain = await get('identity')
    expect([...plain.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(plain.headers).toMatchObject({ 'transfer-encoding': 'chunked', vary: 'accept-encoding' })
    const packed = await get('br, gzip')
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes)
  })
})

/** A store with this many entries in every ledger, which counts the pages that are read. */
function longLedgers(entries: number, read: (projectId: string) => Promise<void> = async () => {}) {
  const pages: string[] = []
  const store = {
    ledgerEnds: async () => ({ first: 1, last: entries, archivedUntil: null }),
    entries: async ({ projectId, from, before }: LedgerRange) => {
      pages.push(projectId)
      await read(projectId)
      return Array.from(
        { length: before - from },
        (_, row) => ({ seq: before - row - 1, kind: 'review', enteredAt: 0, paidAt: null }) as EntryRow,
      )
    },
  } as unknown as ReportStore
  return { store, pages }
}

describe('files that are read', () => {
  const pageEntries = 1000

  test('exports keep no more than their buffer and a page in memory, however slow the reader is', async () => {
    const { store, pages } = longLedgers(100_000)
    const file = await createExports(store, { pageEntries }).ledger('prj_1', {})
    let bytes = 0
    for await (const chunk of file) {
      bytes += (chunk as Buffer).length
      // The reader has this chunk; everything else that was read waits in the buffer.
      await setImmediate()
      expect(file.readableLength).toBeLessThan(65_536 + 65_536)
      expect(pages.length).toBeLessThanOrEqual(Math.ceil(bytes / 20_000) + 5)
    }
    expect(pages).toHaveLength(100)
  })

  test('exports stop reading the store when their reader goes away, and free the slot of the project', async () => {
    const { store, pages } = longLedgers(100_000)
    const exports = createExports(store, { pageEntries })
    const file = await exports.ledger('prj_1', {})
    await once(file, 'readable')
    await expect(exports.usage('prj_1', {})).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 5 })
    file.destroy()
    await once(file, 'close')
    expect(pages.length).toBeLessThan(10)
    ;(await exports.ledger('prj_1', {})).destroy()
  })

  test('exports leave other projects their slots: one per project, and a bound for all', async () => {
    const exports = createExports(longLedgers(10).store, { filesAtOnce: 3 })
    const files = await Promise.all(['prj_1', 'prj_2', 'prj_3'].map((projectId) => exports.ledger(projectId, {})))
    await expect(exports.ledger('prj_2', {})).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await expect(exports.ledger('prj_4', {})).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    for (const file of files) await file.toArray()
    expect(await recordsIn(exports.ledger('prj_4', {}))).toHaveLength(11)
  })

  test('exports free the slot of a project whose ledger cannot be read', async () => {
    const broken = { ...longLedgers(1).store, ledgerEnds: () => Promise.reject(new Error('away')) }
    const exports = createExports(broken)
    for (let attempt = 0; attempt < 2; attempt += 1) await expect(exports.ledger('prj_1', {})).rejects.toThrow('away')
  })
})

describe('wide reads of the ledger', () => {
  const wide = (projectId: string) => ({ projectId, from: 1, before: 1001 })
  const any = entryFilterOf({})

  test('wide reads of the ledger take turns by project, one at a time, so that one project does not delay the others', async () => {
    const gates: (() => void)[] = []
    const { store, pages } = longLedgers(1000, () => new Promise((resolve) => gates.push(resolve)))
    const reports = inTurns(store, { isBusy: () => false, pause: async () => {} })
    const reads = ['a', 'a', 'a', 'b', 'c'].map((projectId) => reports.entries(wide(projectId), any, 1))
    for (let turn = 1; turn <= 5; turn += 1) {
      await expect.poll(() => gates.length).toBe(turn)
      expect(pages).toHaveLength(turn)
      gates.at(-1)!()
    }
    await Promise.all(reads)
    // The second one of `a` was there before the others came.
    expect(pages).toEqual(['a', 'a', 'b', 'c', 'a'])
  })

  test('wide reads of the ledger are followed by a pause four times as long, or nineteen times while calls wait for the store', async () => {
    let now = 0
    let isBusy = false
    const pauses: number[] = []
    const { store } = longLedgers(1000, async () => {
      now += 3
    })
    const reports = inTurns(store, { isBusy: () => isBusy, now: () => now, pause: async (ms) => void pauses.push(ms) })
    await reports.entries(wide('a'), any, 1)
    await expect.poll(() => pauses).toEqual([12])
    isBusy = true
    await reports.entries(wide('a'), any, 1)
    await expect.poll(() => pauses).toEqual([12, 57])
    // A page of a list without a filter does not wait.
    await reports.entries({ projectId: 'a', from: 1, before: 405 }, any, 1)
    expect(pauses).toHaveLength(2)
  })

  test('wide reads of the ledger that fail are reported to their reader, and the next one has its turn', async () => {
    let isBroken = true
    const { store } = longLedgers(1000, () => (isBroken ? Promise.reject(new Error('away')) : Promise.resolve()))
    const reports = inTurns(store, { isBusy: () => false, pause: async () => {} })
    await expect(reports.entries(wide('a'), any, 1)).rejects.toThrow('away')
    isBroken = false
    expect(await reports.entries(wide('a'), any, 1)).toHaveLength(1000)
  })
})

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@cmd', "'@cmd"],
  ['\tx', "'\tx"],
  [' =1', "' =1"],
  ['＝1', "'＝1"],
])('a spreadsheet shows %j as text', (text, shown) => {
  expect(recordsOf(csvLine([text]))).toEqual([[shown]])
})

test('numbers, empty values, quotes, commas and line breaks survive an export unchanged', () => {
  expect(csvLine([-5, null, 'a,b', 'say "x"', 'two\nlines', '中文'])).toBe(
    '-5,,"a,b","say ""x""","two\nlines",中文\r\n',
  )
})
