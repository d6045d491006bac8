import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type AuditAction, auditActions } from '../../../src/contract/audit-actions.ts'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { sessionWriter } from '../../../testkit/browser/console-steps.ts'
import { bothLooks } from '../../../testkit/browser/looks.ts'
import type { OperatorSteps } from '../../../testkit/browser/operator-steps.ts'
import { type SiteVisit, setUpConsole } from '../../../testkit/browser/set-up-console.ts'
import type { SeededCharge } from '../../../testkit/store/seed-charges.ts'

const hourMs = 3_600_000
const now = Date.now()
const charges: SeededCharge[] = [
  ...[60, 50, 40, 30].map((hours): SeededCharge => ({ at: now - hours * hourMs })),
  { at: now - 2 * hourMs, state: 'released', reason: 'PROVIDER_UNAVAILABLE' },
  { at: now - hourMs, state: 'manual_review', reason: 'PROVIDER_TIMED_OUT' },
]

const chinese = /\p{Script=Han}/u
const say = (sentence: string, values: Record<string, string | number>) =>
  sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))

describe.runIf(runsBrowser)('the consoles speak the language of their reader', () => {
  const site = setUpConsole()
  let owner: Awaited<ReturnType<typeof site.withHistory>>
  /** Runs of reconcile. */
  let started = 0
  beforeAll(async () => {
    owner = await site.withHistory(charges)
    const write = sessionWriter(owner.context, owner.origin)
    await write(`/v1/console/keys/${owner.history.keyId}/update`, { name: 'Checkout service' })
  })

  /** The file that a button of the page exports, as lines. */
  async function exported(page: Page, button: string): Promise<string[]> {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: button, exact: true }).click()
    return readFileSync(await (await download).path(), 'utf8')
      .trimEnd()
      .split('\r\n')
  }

  describe.each(bothLooks())('in $language at $width px', ({ language, width }) => {
    const isChinese = language === 'zh-CN'
    const actionName = (action: AuditAction) => auditActions[action][isChinese ? 'zh' : 'en']
    let there: SiteVisit
    let operator: OperatorSteps
    beforeAll(async () => {
      there = await site.visit({ language, width })
      await there.context.addCookies(await owner.context.cookies())
      operator = await site.operator({ language, width })
      await operator.signInWithLink()
    })

    test('credits last as long as the days since the first call say, here and on the alerts page', async () => {
      const { page, text, open, go, context, origin } = there
      await open('/console')
      const { runwayDays } = await (await context.request.get(`${origin}/v1/console/overview`)).json()
      // 4 calls of 3 credits in 60 hours, and 3 that are reserved.
      expect(runwayDays).toBeGreaterThan(365)
      await page.getByText(say(text.overview.runway, { time: text.overview.runwayLong })).waitFor()
      // A phone shows the key of a call once it is opened.
      await page.getByText('Checkout service').first().waitFor({ state: 'attached' })
      await go('/console/alerts')
      const [before] = text.alerts.lasts.split('{{credits}}')
      await page.getByText(before!.trim(), { exact: false }).first().waitFor()
      await expect.poll(() => page.getByText(text.alerts.noRate).count()).toBe(0)
    })

    test('the price of a video is on the sign-in page, on the price list, at its permission and in the docs', async () => {
      const visitor = await site.visit({ language, width })
      const { page, text } = visitor
      const price = say(text.common.perSecond, { credits: isChinese ? '5 点' : '5 credits' })
      await visitor.open('/console/sign-in')
      await page.getByText(price).first().waitFor()
      await page.goto(`${visitor.origin}/docs/${isChinese ? 'zh' : 'en'}`)
      const row = page.getByRole('row').filter({ hasText: '/v1/media/jobs' })
      await expect.poll(() => row.first().textContent()).toContain(isChinese ? '5 点' : '5 credits')
      for (const topic of [isChinese ? '视频生成' : 'Videos', isChinese ? 'Webhook' : 'Webhooks'])
        await page.getByRole('heading', { name: topic, exact: true }).first().waitFor()
      await there.open('/console/pricing')
      await there.page.getByText(price).first().waitFor()
      await there.go('/console/keys')
      await there.steps.button(text.keys.create).click()
      await there.page.getByRole('dialog').getByText(price).waitFor()
      await there.page.keyboard.press('Escape')
    })

    test('exported files have words of that language, and key names', async () => {
      const { page, text, open, go } = there
      await open('/console/usage')
      await page.locator('#content tbody tr').first().waitFor()
      const [head, ...rows] = await exported(page, text.common.exportCsv)
      expect(rows.length).toBeGreaterThanOrEqual(charges.length)
      const inReview = rows.find((row) => row.includes('PROVIDER_TIMED_OUT'))
      if (isChinese) {
        expect(head).toBe(
          '\uFEFF扣费编号,接口,点数,状态,密钥编号,密钥前缀,请求编号,调用时间（北京时间）,完成时间（北京时间）,错误码,原因,密钥名称',
        )
        expect(inReview).toContain(`,${text.operations['model.chat']},3,${text.chargeStates.manual_review},`)
        expect(inReview).toContain(`,PROVIDER_TIMED_OUT,${text.reasons.PROVIDER_TIMED_OUT},`)
        expect(rows.filter((row) => row.includes(text.errors.PROVIDER_UNAVAILABLE))).toHaveLength(1)
      } else {
        expect(head).toMatch(/^\uFEFFchargeId,operation,credits,state,/)
        expect(inReview).toContain(',model.chat,3,manual_review,')
      }
      for (const row of rows) expect(row).toMatch(/,Checkout service$/)
      await go('/console/ledger')
      await page.locator('#content tbody tr').first().waitFor()
      const ledger = await exported(page, text.common.exportCsv)
      const words = isChinese
        ? ['\uFEFF序号,类型,点数,可用,冻结,扣费编号,接口,入账批次编号,订单号,时间（北京时间）,凭证号', '充值']
        : ['\uFEFFseq,kind,amount,available,reserved,chargeId,operation,creditLotId,orderId', 'credit']
      expect(ledger[0]).toContain(words[0])
      expect(ledger.at(-1)!.split(',')[1]).toBe(words[1])
      expect(there.faults).toEqual([])
    })

    test('self-check and audit log are in that language, on the page and in the file', async () => {
      const { page, words, goTo, isSound } = operator
      await page.getByText(words.title, { exact: true }).filter({ visible: true }).first().waitFor()
      await goTo('settings')
      const findings = page.getByRole('table', { name: words.settings.doctor }).locator('tbody tr')
      await findings.first().waitFor()
      const told = await findings.allTextContents()
      expect(told.length).toBeGreaterThan(8)
      for (const finding of told) expect(chinese.test(finding), finding).toBe(isChinese)
      await isSound()
      await goTo('audit')
      const { audit } = words
      const signedIn = page.getByRole('row').filter({ hasText: actionName('operator.sign_in') })
      await signedIn.filter({ hasText: audit.ownReasons.byLink }).first().waitFor()
      await page.getByLabel(audit.action, { exact: true }).selectOption('operator.sign_in')
      await expect.poll(() => new URL(page.url()).searchParams.get('action')).toBe('operator.sign_in')
      await signedIn.first().waitFor()
      const [head, first] = await exported(page, operator.text.common.exportCsv)
      const columns = isChinese ? '记录编号,时间（UTC）,操作员,途径,操作,' : 'id,at (UTC),by,via,action,'
      expect(head!.startsWith(`\uFEFF${columns}`)).toBe(true)
      expect(first).toContain(isChinese ? `,${audit.via.web},登录,` : ',web,operator.sign_in,')
    })

    test('a media provider can be put out of service, and callers read that it is', async () => {
      const { page, words, goTo, submit, told } = operator
      const { providers } = words
      const name = 'media_provider_a'
      await goTo('providers')
      await page.getByRole('button', { name: `${providers.takeOut}: ${name}`, exact: true }).click()
      await submit({ reason: 'maintenance' }, providers.takeOut)
      await told(say(providers.takenOut, { name }))
      const headers = { authorization: `Bearer ${owner.history.apiKey}`, 'idempotency-key': `job ${language} ${width}` }
      const data = { prompt: 'a lake', seconds: 2 }
      const refused = await there.context.request.post(`${there.origin}/v1/media/jobs`, { headers, data })
      expect((await refused.json()).error).toMatchObject({
        code: 'PROVIDER_DISABLED',
        message: expect.stringContaining('out of service'),
      })
      await goTo('audit')
      const taken = page.getByRole('row').filter({ hasText: actionName('provider.take_out') })
      await expect.poll(() => taken.first().textContent()).toContain(words.audit.values.out_of_service)
      await goTo('providers')
      await page.getByRole('button', { name: `${providers.putBack}: ${name}`, exact: true }).click()
      await submit({ reason: 'done' }, providers.putBack)
      await told(say(providers.backAgain, { name }))
    })

    test('a double click on reconcile starts one run and no error, and the account page names the key', async () => {
      const { page, words, button, goTo, isSound } = operator
      await goTo('reconcile')
      const runs = page.getByRole('row').filter({ has: page.getByRole('cell', { name: words.reconcile.states.sound }) })
      await page.getByRole('heading', { name: words.reconcile.runs }).waitFor()
      await button(words.reconcile.run).dblclick()
      started += 1
      await expect.poll(() => runs.count(), { timeout: 20_000 }).toBe(started)
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      await goTo('accounts')
      await page.getByRole('table', { name: words.accounts.all }).locator('tbody').getByRole('link').first().click()
      await operator.heading(new RegExp(owner.history.phone.slice(-4))).waitFor()
      const keys = page.getByRole('table', { name: words.accounts.keys })
      await keys.getByText('Checkout service').first().waitFor()
      await keys
        .getByText(/^gk_live/)
        .first()
        .waitFor()
      await isSound()
    })
  })
})
