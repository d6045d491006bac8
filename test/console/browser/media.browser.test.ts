import { describe, expect, test } from 'vitest'
import { runsBrowser } from '../../../testkit/browser/chromium.ts'
import { looks } from '../../../testkit/browser/looks.ts'
import { setUpConsole } from '../../../testkit/browser/set-up-console.ts'

describe.runIf(runsBrowser)('the media page', () => {
  const site = setUpConsole()

  test.each(looks('narrow'))(
    'a video job shows its price first, its progress live and a video that plays, or is cancelled, in $language at $width px',
    async (look) => {
      const { page, text, faults, open, go, steps, context, history } = await site.withHistory([], look)
      const { apiKey } = history
      await open('/console/media')
      const create = page.locator('button[type=submit]')
      await page.getByText(text.media.none).waitFor()
      await expect.poll(() => create.textContent()).toContain('10')
      await page.getByLabel(text.media.seconds).selectOption('4')
      await expect.poll(() => create.textContent()).toContain('20')
      await page.getByLabel(text.media.seconds).selectOption('2')
      await create.click()
      await page.getByText(text.media.promptMissing).waitFor()
      await page.getByLabel(text.media.prompt, { exact: true }).fill('A paper boat')
      await page.getByLabel(text.playground.key, { exact: true }).fill(apiKey)
      await create.click()

      const job = page.getByRole('article', { name: 'A paper boat' })
      await job.getByText(text.media.testOnly).waitFor()
      const video = job.locator('video')
      await video.waitFor()
      const state = () =>
        page.evaluate<{ ready: number; duration: number }>(
          `(({ readyState, duration }) => ({ ready: readyState, duration }))(document.querySelector('video'))`,
        )
      await page.evaluate(`document.querySelector('video').play()`)
      await expect.poll(async () => (await state()).ready).toBeGreaterThanOrEqual(2)
      expect((await state()).duration).toBeCloseTo(2, 0)
      await job.getByText(text.media.statuses.completed, { exact: true }).waitFor()
      expect(await job.getByRole('link', { name: text.media.download }).getAttribute('download')).toMatch(/\.mp4$/)

      await page.getByLabel(text.media.prompt, { exact: true }).fill('Not this one')
      await create.click()
      const second = page.getByRole('article', { name: 'Not this one' })
      await second.getByRole('button', { name: text.media.cancel, exact: true }).click()
      await second.getByText(text.media.statuses.cancelled, { exact: true }).waitFor()
      await second.getByText(text.reasons.PROVIDER_JOB_CANCELLED).waitFor()

      await job.getByRole('button', { name: text.chargeDetails.verify }).click()
      await page.getByText(text.proof.verified, { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await job.getByRole('link', { name: text.media.details }).click()
      await page.getByText(text.operations['media.video']).first().waitFor()

      // The price of a video is on the price list, at its permission and on the sign-in page.
      const price = text.common.perSecond.replace('{{credits}}', look.language === 'zh-CN' ? '5 点' : '5 credits')
      await go('/console/pricing')
      await page.getByText(price).first().waitFor()
      await go('/console/keys')
      await steps.button(text.keys.create).click()
      await page.getByRole('dialog').getByText(price).waitFor()
      await context.clearCookies()
      await open('/console/sign-in')
      await page.getByText(price).first().waitFor()
      expect(faults).toEqual([])
    },
  )
})
