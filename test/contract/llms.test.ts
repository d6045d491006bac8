import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { errors } from '../../src/contract/errors.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { billableOperations, chargePolicy, prices } from '../../src/contract/prices.ts'
import { serviceFacts } from '../../src/documents/facts.ts'
import { llmsText } from '../../src/documents/llms.ts'
import { eachRow } from '../../testkit/each-row.ts'

const config = loadConfig({ GATEWAY_ORIGIN: 'http://localhost:8787' })
const operations = publicOperations(config.providerNames)
const facts = serviceFacts(config)
const text = llmsText({ operations, facts })

/** The text of an operation, from its heading to the next. */
function sectionOf(method: string, path: string): string {
  const from = text.indexOf(`\n### ${method} ${path}\n`)
  return from === -1 ? '' : text.slice(from, text.indexOf('\n##', from + 4))
}

const rows = operations.map((operation) => ({
  ...operation,
  section: sectionOf(operation.method, operation.path),
}))

interface Node {
  properties?: Record<string, Node>
  [keyword: string]: unknown
}

/** Every field, at any depth. */
function fieldsOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { properties = {} } = node as Node
  return [...Object.keys(properties), ...Object.values(node).flatMap(fieldsOf)]
}

describe('every operation', () => {
  const each = (check: (row: (typeof rows)[number]) => void) => eachRow(rows, ({ id }) => id, check)

  test('every operation has a section with its access, price and every error code', () =>
    each(({ id, section, billing, errors: codes, responses }) => {
      expect(section).toContain(`Operation \`${id}\``)
      expect(section).toContain('Access:')
      if (billing) expect(section).toContain(`Price: ${billing.credits} credits`)
      for (const code of codes) expect(section).toContain(`\`${code}\``)
      for (const { status } of responses) expect(section).toContain(`Response ${status}`)
    }))

  test('every operation lists every field of its request and responses, here or under the name it refers to', () =>
    each(({ section, request, responses }) => {
      for (const schema of [request, ...responses.map((row) => row.schema)]) {
        const { properties = {} } = (schema ?? {}) as Node
        for (const field of Object.keys(properties)) expect(section).toContain(`- \`${field}\` (`)
        for (const field of fieldsOf(schema)) expect(text).toContain(`- \`${field}\` (`)
      }
    }))

  test('every operation states the code of each field of its request', () =>
    each(({ section, request }) => {
      for (const [field, schema] of Object.entries((request as Node | undefined)?.properties ?? {})) {
        const line = section.split('\n').find((row) => row.startsWith(`- \`${field}\` (`))
        expect(line).toContain(`Else \`${schema['x-error-code']}\`.`)
      }
    }))

  test('every operation shows a valid request', () =>
    each(({ method, section, request, requestExample }) => {
      const sample = /```http\n([\s\S]*?)\n```/.exec(section)![1]!
      const [head = '', body = ''] = sample.split('\n\n')
      expect(head).toMatch(new RegExp(`^${method} .* HTTP/1.1\nHost: localhost:8787`))
      if (!request) return expect(body).toBe('')
      expect(JSON.parse(body)).toEqual(requestExample)
      expect(head).toContain(`Content-Length: ${Buffer.byteLength(body)}`)
    }))
})

test('every error code of a public operation is explained with its status and what to do, and no other', () => {
  const codes = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED', ...operations.flatMap(({ errors: own }) => own)])
  for (const [code, { status, meaning, retry }] of Object.entries(errors)) {
    const isExplained = text.includes(`| ${status} | ${code} | ${meaning} | ${retry} |`)
    expect({ code, isExplained }).toEqual({ code, isExplained: codes.has(code) })
  }
})

test('every price and every charging rule is stated', () => {
  for (const operation of billableOperations) {
    const { path, scope, credits } = prices[operation]
    expect(text).toContain(`| ${operation} | ${path} | ${scope} | ${credits} |`)
  }
  for (const rule of Object.values(chargePolicy)) expect(text).toContain(rule)
})

test('it states the base URL, the version, the payment mode, the limits and the models of this installation', () => {
  expect(text).toContain('Base URL: http://localhost:8787')
  expect(text).toContain('Contract version: 2026-09-03')
  expect(text).toContain('paymentMode: local-simulated')
  expect(text).toContain(`Maximum body: ${facts.bodyLimitBytes} bytes`)
  for (const { max, windowSeconds } of facts.rateLimits) expect(text).toContain(`: ${max} in ${windowSeconds} seconds`)
  for (const { name, models } of facts.modelProviders) expect(text).toContain(`| ${name} | ${models.join(', ')} |`)
})

test('it explains sessions, replay and review', () => {
  for (const word of ['gateway_session', 'X-CSRF-Token', 'Idempotent-Replayed', 'manual_review', 'Retry-After'])
    expect(text).toContain(word)
})

test('every type that a field refers to is listed', () => {
  const named = [...text.matchAll(/\((?:array of )?([A-Z]\w+)(?: or ([A-Z]\w+))*(?: or null)?, (?:required|optional)/g)]
  expect(named.length).toBeGreaterThan(20)
  for (const [, name] of named) expect(text).toMatch(new RegExp(`### ${name}\n|\\(${name}\\):`))
})
