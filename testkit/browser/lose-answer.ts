import type { Route } from 'playwright-core'

/** For `page.route`: the gateway does what it is asked, and the answer gets lost. */
export async function loseAnswer(route: Route): Promise<void> {
  await route.fetch()
  await route.abort('connectionreset')
}
