import type { Route } from 'playwright-core'

/** For `page.route`: the gateway does what it is asked, and the response gets lost. */
export async function loseResponse(route: Route): Promise<void> {
  await route.fetch()
  await route.abort('connectionreset')
}
