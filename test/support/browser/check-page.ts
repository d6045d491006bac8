import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFindings } from './axe.ts'

const wide = { width: 1280, height: 900 }

/** That the page hinders nobody: in light, in dark, and on a narrow screen, which it does not overflow. */
export async function checkPage(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-color-scheme=dark]').waitFor({ state: 'attached' })
  expect(await axeFindings(page, { only: ['color-contrast'] })).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 800 })
    await fitsScreen(page)
  }
  await page.setViewportSize(wide)
}

/** That nothing sticks out to the right. */
export async function fitsScreen(page: Page): Promise<void> {
  const overflow = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  await expect.poll(overflow).toBeLessThanOrEqual(0)
}
