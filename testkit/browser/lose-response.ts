import type { Route } from 'playwright-core'

/** For `page.route`: the gateway does what it is asked, and the response gets lost. */
export async function loseResponse(route: Route): Promise<void> {
  await route.fetch()
  await route.abort('connectionreset')
}

/** The same, and the response is a 500. */
export async function failResponse(route: Route): Promise<void> {
  await route.fetch()
  await route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'The service failed.' } } })
}
