import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import type { SeededCharge } from '../../../testkit/store/seed-charges.ts'

const hourMs = 3_600_000

/** 26 calls in review among 60 that were settled. */
const charges: SeededCharge[] = Array.from({ length: 86 }, (_, i) => ({
  at: Date.now() - (86 - i) * hourMs,
  operation: i % 2 === 0 ? 'model.chat' : 'pick.search',
  ...(i % 3 === 0 && i < 78 ? { state: 'manual_review', reason: 'PROVIDER_TIMED_OUT' } : { state: 'settled' }),
}))

describe.runIf(runsBrowser)('the ledger and the reviews', () => {
  const site = setUpConsole()

  let shared: Awaited<ReturnType<typeof site.withHistory>>
  beforeAll(async () => {
    shared = await site.withHistory(charges)
  })

  async function visit(path: string) {
    await shared.enter(path)
    return shared
  }

  test('26 reviews are rows of one sortable table below the explanation', async () => {
    const { page, text, faults } = await visit('/console/reviews')
    await expect.poll(() => page.locator('#content tbody tr').count()).toBe(26)
    const table = (await page.getByRole('table').boundingBox())!
    const explained = (await page.getByText(text.reviews.next3).boundingBox())!
    expect(explained.y).toBeLessThan(table.y)
    expect(table.height).toBeLessThan(26 * 80)

    await page.getByText(text.reasons.PROVIDER_TIMED_OUT).first().waitFor()
    const names = await page.locator('#content section h2').allTextContents()
    expect(names.length).toBeGreaterThan(1)
    expect(new Set(names).size).toBe(names.length)

    const held = () => page.locator('#content tbody td:last-child').allTextContents()
    const sort = page.getByRole('button', { name: text.reviews.held, exact: true })
    await sort.click()
    await expect.poll(async () => (await held()).slice(0, 2)).toEqual(['3', '3'])
    await sort.click()
    await expect.poll(async () => (await held()).slice(0, 2)).toEqual(['2', '2'])
    const heading = page.getByRole('columnheader', { name: text.reviews.held })
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
    expect(faults).toEqual([])
  })

  test('the end of a refund does not read as a second deduction', async () => {
    const { page } = shared
    onTestFinished(() => page.unrouteAll())
    await page.route('**/v1/console/ledger?*', async (route) => {
      const response = await route.fetch()
      const { items, ...rest } = await response.json()
      const [paid] = items
      const refund = { held: { kind: 'reserve', seq: paid.seq + 1 }, done: { kind: 'withdraw', seq: paid.seq + 2 } }
      const byOperator = { ...paid, kind: 'withdraw', seq: paid.seq + 3, orderId: null }
      await route.fulfill({
        response,
        json: { ...rest, items: [byOperator, { ...paid, ...refund.done }, { ...paid, ...refund.held }, paid] },
      })
    })
    await visit('/console/ledger?kind=credit&from=2020-01-01')
    const amounts = page.locator('#content tbody td[data-narrow=inline]')
    await expect.poll(() => amounts.allTextContents()).toEqual(['−100,000', '100,000', '−100,000', '+100,000'])
  })

  test('an order is verified in the browser, and a checkpoint that contradicts the log is seen', async () => {
    const { page, text, faults } = await visit('/console/ledger?kind=credit')
    await page.getByRole('button', { name: text.chargeDetails.verify }).click()
    await page.getByText(text.proof.verified, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await shared.open('/console/recharge')
    await page.getByRole('button', { name: text.chargeDetails.verify }).first().click()
    await page.getByText(text.proof.verified, { exact: true }).waitFor()
    await page.keyboard.press('Escape')

    // One checkpoint alone says nothing about the history.
    await page.evaluate(`localStorage.removeItem('gateway.checkpoints')`)
    await shared.open('/console/proof')
    await page.getByText(text.proof.judgements.first, { exact: true }).waitFor()
    await page.getByRole('link', { name: text.proof.openStatement }).click()
    const days = page.locator('#content tbody tr')
    const months = page.getByRole('combobox', { name: text.statement.month })
    await months.waitFor()
    const overview = 'fetch("/v1/console/overview").then((response) => response.json())'
    const { credits } = await page.evaluate<{ credits: { available: number } }>(overview)
    await expect.poll(() => days.last().textContent()).toContain(credits.available.toLocaleString('en'))
    await page.emulateMedia({ media: 'print' })
    expect(await months.isVisible()).toBe(false)
    expect(await page.getByText(text.statement.issued.split('{{')[0]!).isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen' })
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: text.statement.jws, exact: true }).click()
    expect((await download).suggestedFilename()).toMatch(/^statement-\d{4}-\d\d\.jws$/)
    await page.getByRole('button', { name: text.chargeDetails.verify }).click()
    await page.getByText(text.proof.verified, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await shared.open('/console/statements/2020-01')
    await page.getByText(text.statement.notFound).waitFor()
    await shared.open('/console/proof')
    // As if the gateway had once signed another tree of this size.
    await page.evaluate(`
      const seen = JSON.parse(localStorage.getItem('gateway.checkpoints'))
      const [origin, size, ...rest] = seen[0].note.split('\\n')
      seen[0].note = [origin, Number(size) - 1, ...rest].join('\\n')
      localStorage.setItem('gateway.checkpoints', JSON.stringify(seen))`)
    await page.getByRole('button', { name: text.proof.checkAgain }).click()
    await page.getByText(text.proof.judgements.rewritten, { exact: true }).waitFor()
    await shared.open('/console/recharge')
    await page.getByRole('button', { name: text.chargeDetails.verify }).first().click()
    await page.getByText(text.proof.notVerified, { exact: true }).waitFor()
    expect(faults).toEqual([])
  })

  test('the ledger shows one kind of entry, exports it, and keeps it on the way back from a call', async () => {
    const { page, text, faults } = await visit('/console/ledger')
    const rows = page.locator('#content tbody tr')
    await expect.poll(() => rows.count()).toBe(25)
    await page.getByRole('button', { name: text.ledger.kinds.credit, exact: true }).click()
    await expect.poll(() => rows.count()).toBe(1)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: text.common.exportCsv }).click()
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual(['credit'])
    await page.getByRole('button', { name: text.ledger.kinds.review, exact: true }).click()
    await expect.poll(() => rows.count()).toBe(25)
    await rows.first().getByRole('link').click()
    await page.getByRole('link', { name: text.chargeDetails.back }).click()
    await page.getByRole('heading', { name: text.ledger.title, level: 1 }).waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('?kind=review')
    await expect.poll(() => rows.count()).toBe(25)
    expect(faults).toEqual([])
  })

  test('exported files have Chinese words for Chinese readers, and key names', async () => {
    const { page, text, context, open, go, faults } = await site.visit({ language: 'zh-CN', width: 360 })
    await context.addCookies(await shared.context.cookies())
    const write = sessionWriter(context, shared.origin)
    await write(`/v1/console/keys/${shared.history.keyId}/update`, { name: 'Checkout service' })
    const exported = async () => {
      await page.locator('#content tbody tr').first().waitFor()
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: text.common.exportCsv, exact: true }).click()
      return readFileSync(await (await download).path(), 'utf8')
        .trimEnd()
        .split('\r\n')
    }
    await open('/console/usage')
    const [head, ...rows] = await exported()
    expect(head).toBe(
      '\uFEFF扣费编号,接口,点数,状态,密钥编号,密钥前缀,请求编号,调用时间（北京时间）,完成时间（北京时间）,错误码,原因,密钥名称,服务商错误码,模型,耗时（毫秒）,输入 Token 数,输出 Token 数',
    )
    expect(rows.length).toBeGreaterThanOrEqual(charges.length)
    const inReview = rows.find(
      (row) => row.includes('PROVIDER_TIMED_OUT') && row.includes(text.operations['model.chat']),
    )
    expect(inReview).toContain(`,${text.operations['model.chat']},3,${text.chargeStates.manual_review},`)
    expect(inReview).toContain(`,PROVIDER_TIMED_OUT,${text.reasons.PROVIDER_TIMED_OUT},`)
    for (const row of rows) expect(row).toContain(',Checkout service,')
    await go('/console/ledger')
    const ledger = await exported()
    expect(ledger[0]).toContain(
      '\uFEFF序号,类型,点数,可用,冻结,扣费编号,接口,入账批次编号,订单号,时间（北京时间）,凭证号',
    )
    expect(ledger.at(-1)!.split(',')[1]).toBe('充值')
    expect(faults).toEqual([])
  })
})
