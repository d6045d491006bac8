import type { Locator } from 'playwright-core'

/** Ticks a box. Playwright's own `check` fails when React takes a moment to show it. */
export async function tick(box: Locator): Promise<void> {
  await box.click()
  await ticked(box).waitFor({ state: 'attached' })
}

export async function untick(box: Locator): Promise<void> {
  await ticked(box).waitFor({ state: 'attached' })
  await box.click()
  await ticked(box).waitFor({ state: 'detached' })
}

const ticked = (box: Locator) => box.and(box.page().locator(':checked'))
