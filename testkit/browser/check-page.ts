import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFindings } from './axe.ts'

/** Of a phone, a tablet and a laptop. */
const widths = [360, 768, 1280]

export interface PageChecks {
  /** False where axe cannot tell the colours: a menu or a panel over lines of different things. */
  readonly contrast?: boolean
  /** False for what only wide screens have. */
  readonly fits?: boolean
}

/** That the page has no accessibility violations, in light and in dark, and fits every screen. */
export async function checkPage(page: Page, { contrast = true, fits = true }: PageChecks = {}): Promise<void> {
  expect(await axeFindings(page, contrast ? {} : { except: ['color-contrast'] })).toEqual([])
  if (contrast) await checkDark(page)
  if (fits) await fitsScreen(page)
}

/** That axe finds nothing in the state that a journey has reached, with all of it in sight: axe cannot tell the colours of a line that the window cuts. */
export async function checkAxe(page: Page): Promise<void> {
  const size = page.viewportSize()!
  await page.setViewportSize({ ...size, height: 2000 })
  expect(await axeFindings(page)).toEqual([])
  await page.setViewportSize(size)
}

/** That the contrasts hold in dark. */
export async function checkDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-color-scheme=dark]').waitFor({ state: 'attached' })
  expect(await axeFindings(page, { only: ['color-contrast'] })).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-color-scheme=light]').waitFor({ state: 'attached' })
}

/** That nothing sticks out to the right at any width. Ends with the width that it began with. */
export async function fitsScreen(page: Page): Promise<void> {
  const { width: current, height } = page.viewportSize()!
  for (const width of [...widths.filter((other) => other !== current), current]) {
    await page.setViewportSize({ width, height })
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    await expect.poll(overflow, { message: `${width} px` }).toBeLessThanOrEqual(0)
  }
}
