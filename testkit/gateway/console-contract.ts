import { expect } from 'vitest'
import { consoleOperations } from '../../src/app/features.ts'
import { type ErrorCode, errors } from '../../src/contract/errors.ts'
import { ErrorEnvelope } from '../../src/contract/field.ts'
import { compile } from '../../src/contract/validate.ts'
import type { Browser } from './browser.ts'
import type { HttpResponse } from './gateway.ts'

const byId = new Map(consoleOperations.map((operation) => [operation.id, operation]))

/** Every view that needs a session and no path parameter. */
export const views = consoleOperations.filter(
  ({ access, method, path }) => access === 'session' && method === 'GET' && !path.includes('{'),
)

const checks = new Map(
  consoleOperations.map(({ id, responses, errors: codes }) => [
    id,
    { response: compile(responses[0]!.schema), envelope: compile(ErrorEnvelope(codes)) },
  ]),
)

/** Reads a view and checks that it has every field of the contract and no other. */
export async function look(browser: Browser, id: string, query = '', path = byId.get(id)!.path) {
  const response = await browser.get(`${path}${query}`)
  expect({ id, query, status: response.status, text: response.status === 200 ? '' : response.text }).toMatchObject({
    status: 200,
    text: '',
  })
  expect(checks.get(id)!.response(response.body), response.text).toEqual({ ok: true })
  return response.body
}

/** A successful response with every field of the contract and no other. */
export function expectDone(id: string, response: HttpResponse): void {
  expect({ id, status: response.status, text: response.text }).toMatchObject({
    status: byId.get(id)!.responses[0]!.status,
  })
  expect(checks.get(id)!.response(response.body), response.text).toEqual({ ok: true })
}

export function expectRefused(id: string, response: HttpResponse, code: ErrorCode): void {
  expect({ id, status: response.status, code: response.body?.error?.code }).toEqual({
    id,
    status: errors[code].status,
    code,
  })
  expect(checks.get(id)!.envelope(response.body)).toEqual({ ok: true })
}

/** Follows a list to its end, page by page; `between` runs before each further page. */
export async function readAll<T = Record<string, unknown>>(
  browser: Browser,
  id: string,
  query: Record<string, string>,
  between: () => Promise<void> = async () => {},
): Promise<{ items: T[]; pages: number }> {
  const items: T[] = []
  let after: string | null = null
  for (let pages = 1; ; pages += 1) {
    const parameters = new URLSearchParams({ ...query, ...(after && { after }) })
    const page: { items: T[]; nextAfter: string | null } = await look(browser, id, `?${parameters}`)
    items.push(...page.items)
    after = page.nextAfter
    if (after === null) return { items, pages }
    await between()
  }
}
