import type { TSchema } from '../base/schema.ts'
import { errors } from '../contract/errors.ts'
import { publicResponseHeaders, requestHeadersOf, sessionCookieName } from '../contract/headers.ts'
import type { Access, Operation, ResponseRow } from '../contract/operation.ts'
import { codesIn } from '../contract/operations/access.ts'
import { fenOfCredits, pricingDocument, yuanOfFen } from '../contract/prices.ts'
import type { ServiceFacts } from './facts.ts'
import { guide, product } from './guide.ts'
import { createPublisher, type PublishedSchema, type Publisher } from './published-schema.ts'

/** The fields of an object as a list; objects without a name are opened up in place. */
function fieldLines(schema: PublishedSchema, depth = 0): string[] {
  const required = new Set((schema.required as string[] | undefined) ?? [])
  return Object.entries((schema.properties as Record<string, PublishedSchema> | undefined) ?? {}).flatMap(
    ([name, field]) => [
      `${'  '.repeat(depth)}- \`${name}\` (${notes(field, required.has(name))})${tail(field)}`,
      ...fieldLines((field.items as PublishedSchema | undefined) ?? field, depth + 1),
    ],
  )
}

function notes(field: PublishedSchema, isRequired: boolean): string {
  return [typeText(field), isRequired ? 'required' : 'optional', ...limits(field)].join(', ')
}

const tail = ({ description }: PublishedSchema): string => (description ? `: ${description}` : '')

/** The type in words: a named shape by its name, fixed values as JSON. */
function typeText(schema: PublishedSchema): string {
  if (schema.$ref) return nameOf(schema.$ref as string)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return (schema.enum as unknown[]).map((value) => JSON.stringify(value)).join(' | ')
  const choices = (schema.oneOf ?? schema.anyOf) as PublishedSchema[] | undefined
  if (choices) return choices.map((choice) => [typeText(choice), ...limits(choice)].join(' ')).join(' or ')
  if (schema.type === 'array') return `array of ${typeText(schema.items as PublishedSchema)}`
  return schema.type as string
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

export interface LimitWords {
  readonly characters: string
  readonly entries: string
  readonly atLeast: (count: unknown, unit: string) => string
  readonly atMost: (count: unknown, unit: string) => string
  readonly between: (least: unknown, most: unknown, unit: string) => string
  readonly multipleOf: (step: unknown) => string
  readonly noRepeats: string
  readonly format: (name: unknown) => string
  readonly notBlank: string
  readonly pattern: (text: unknown) => string
}

export const englishLimits: LimitWords = {
  characters: 'characters',
  entries: 'entries',
  atLeast: (count, unit) => `at least ${count} ${count === 1 ? unit.replace(/s$/, '') : unit}`.trim(),
  atMost: (count, unit) => `at most ${count} ${unit}`.trim(),
  between: (least, most, unit) => `${least}..${most} ${unit}`.trim(),
  multipleOf: (step) => `multiple of ${step}`,
  noRepeats: 'no repeats',
  format: (name) => `format ${name}`,
  notBlank: 'not blank',
  pattern: (text) => `pattern \`${text}\``,
}

/** What a value must keep to beyond its type, in words. */
export function limits(schema: PublishedSchema, words = englishLimits): string[] {
  const range = (least: unknown, most: unknown, unit: string) => {
    if (least === undefined) return most !== undefined && words.atMost(most, unit)
    return most === undefined ? words.atLeast(least, unit) : words.between(least, most, unit)
  }
  return [
    range(schema.minLength, schema.maxLength, words.characters),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, words.entries),
    schema.multipleOf !== undefined && words.multipleOf(schema.multipleOf),
    schema.uniqueItems === true && words.noRepeats,
    schema.format !== undefined && words.format(schema.format),
    schema.pattern !== undefined && (schema.pattern === '\\S' ? words.notBlank : words.pattern(schema.pattern)),
  ].filter((limit) => typeof limit === 'string')
}

/** Everything about one operation: how to call it, its fields, a sample, its responses and its errors. */
function operationSection(operation: Operation, publisher: Publisher, origin: string): string {
  const { id, method, path, deprecated, summary, description, request } = operation
  return [
    `### ${method} ${path}`,
    `${summary}${deprecated ? ' (deprecated)' : ''}. Operation \`${id}\`.${description ? ` ${description}` : ''}`,
    facts(operation),
    parameters(operation),
    request && fields('Request', request as PublishedSchema, publisher),
    sampleRequest(operation, origin),
    ...operation.responses.map((row) => responseSection(row, publisher)),
    errorList(operation),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const accessText: Record<Access, string> = {
  public: 'no sign-in needed',
  origin: 'no login; `Origin` required',
  session: `the session cookie \`${sessionCookieName}\``,
  'session-write': `the session cookie \`${sessionCookieName}\`, \`Origin\` and \`X-CSRF-Token\``,
  key: '`Authorization: Bearer <apiKey>`',
}

function facts({ access, billing, takesIdempotencyKey }: Operation): string {
  const price = billing
    ? `Price: ${billing.credits} credits (CNY ${yuanOfFen(fenOfCredits(billing.credits))}). Scope: \`${billing.scope}\`.`
    : 'Not billable.'
  return `Access: ${accessText[access]}. ${price}${takesIdempotencyKey ? ' `Idempotency-Key` required.' : ''}`
}

function parameters({ pathParameters = {} }: Operation): string {
  return Object.entries(pathParameters)
    .map(([name, { pattern, code }]) => `Path parameter \`${name}\`: pattern \`${pattern}\`. Else \`${code}\`.`)
    .join('\n')
}

function fields(label: string, schema: PublishedSchema, publisher: Publisher): string {
  const published = publisher.publish(schema as Parameters<Publisher['publish']>[0])
  const name = published.$ref ? typeText(published) : undefined
  const shape = name ? publisher.components[name]! : published
  const lines = fieldLines(shape)
  const heading = `${label}${name ? ` (${name})` : ''}`
  if (shape.type !== 'object') return `${heading}: ${typeText(shape)}.`
  return lines.length ? `${heading}:\n\n${lines.join('\n')}` : `${heading}: the empty object.`
}

function sampleRequest(operation: Operation, origin: string): string {
  const { method, path, access, request, requestExample } = operation
  const hasSession = access === 'session' || access === 'session-write'
  const body = request && JSON.stringify(requestExample)
  return fenced('http', [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    ...(hasSession ? [`Cookie: ${sessionCookieName}=<session>`] : []),
    ...(access === 'key' ? ['Authorization: Bearer <apiKey>'] : []),
    ...requestHeadersOf(operation, origin)
      .filter(({ required }) => required)
      .map(({ name, sample }) => `${name}: ${sample}`),
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', body] : []),
  ])
}

function responseSection(
  { status, description, contentType, schema, example, headers = [] }: ResponseRow,
  publisher: Publisher,
) {
  const label = `Response ${status}, ${contentType}`
  const isJson = contentType === 'application/json'
  return [
    `**${status}** ${description}`,
    headers.length > 0 && `Headers: ${headers.map((name) => `\`${name}\``).join(', ')}.`,
    fields(label, schema as PublishedSchema, publisher),
    isJson && fenced('json', [JSON.stringify(example)]),
  ]
    .filter(Boolean)
    .join('\n\n')
}

function errorList({ errors: codes }: Operation): string {
  const byStatus = [...Map.groupBy(codes, (code) => errors[code].status)].sort(([a], [b]) => a - b)
  return `Errors: ${byStatus.map(([status, group]) => `${status} ${group.map((code) => `\`${code}\``).join(', ')}`).join('; ')}.`
}

const fenced = (language: string, lines: string[]) => `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``

/** The whole contract as one text: enough for a program to use the service with nothing else at hand. */
export function llmsText({ operations, facts }: { operations: readonly Operation[]; facts: ServiceFacts }): string {
  const { origin } = facts
  const publisher = createPublisher()
  const sections = operations.map((operation) => operationSection(operation, publisher, origin))
  return [
    `# ${product.title}`,
    `> ${product.summary}`,
    product.introduction,
    `Contract version: ${product.contractVersion}. Base URL: ${origin}. The same contract as OpenAPI 3.1: ${origin}/openapi.json. Human-readable: ${origin}/docs.`,
    ...guide({ operations, ...facts }).map(({ title, text }) => `## ${title}\n\n${text}`),
    `## Response headers\n\n${headerLines()}`,
    `## Prices\n\n${priceLines(facts)}`,
    `## Limits of this service\n\n${limitLines(facts).join('\n')}`,
    `## Models\n\n${modelLines(facts)}`,
    `## Media jobs\n\n${mediaLines(facts)}`,
    `## Operations\n\n${operations.map(({ method, path, summary }) => `- ${method} ${path}: ${summary}`).join('\n')}`,
    ...sections,
    `## Shared shapes\n\nShapes that are named above but not listed with an operation.\n\n${shapeSections(operations, publisher)}`,
    `## Error codes\n\n${errorLines(operations)}`,
    '',
  ].join('\n\n')
}

const headerLines = () =>
  Object.entries(publicResponseHeaders)
    .map(([name, { description }]) => `- \`${name}\`: ${description}`)
    .join('\n')

function priceLines({ paymentMode }: ServiceFacts): string {
  const { operations, chargePolicy: _, ...rates } = pricingDocument(paymentMode)
  return [
    Object.entries(rates)
      .map(([name, value]) => `- ${name}: ${value}`)
      .join('\n'),
    table(
      ['operation', 'path', 'scope', 'credits', 'CNY'],
      operations.map(({ operation, path, scope, credits, cnyYuan }) => [operation, path, scope, credits, cnyYuan]),
    ),
  ].join('\n\n')
}

/** What differs between installations, as a list. */
export function limitLines(facts: ServiceFacts): string[] {
  const { keyLifetimeSeconds } = facts
  return [
    `- Maximum body: ${facts.bodyLimitBytes} bytes, else 413 \`PAYLOAD_TOO_LARGE\`. It must arrive within ${facts.bodyDeadlineMs / 1000} seconds, else 408 \`REQUEST_TIMEOUT\`.`,
    `- A session lasts ${facts.sessionLifetimeSeconds} seconds. ${keyLifetimeSeconds === null ? 'Keys do not expire.' : `A key lasts ${keyLifetimeSeconds} seconds.`} A project has at most ${facts.activeKeysLimit} active keys, else 429 \`RATE_LIMITED\`.`,
    `- A stored response can be replayed for ${facts.resultDays} days; its key ${facts.idempotencyDays === null ? 'never charges again, even after that' : `does not charge again for ${facts.idempotencyDays} days, and counts as new after that`}. Once the response is gone, a call that repeats the key gets 409 \`IDEMPOTENCY_CONFLICT\`, and nothing is charged.`,
    `- Search results are cached per project for ${facts.searchCacheSeconds} seconds. Items that a search returned can be used for ${facts.snapshotDays} days.`,
    '- Fixed-window rate limits; beyond them, 429 `RATE_LIMITED` with `Retry-After`:',
    ...facts.rateLimits.map(
      ({ what, max, windowSeconds }) => `  - ${what.replace(/\.$/, '')}: ${max} in ${windowSeconds} seconds`,
    ),
  ]
}

const mediaLines = ({ origin, mediaCreditsPerSecond }: ServiceFacts) =>
  `Videos take minutes, so they are jobs: POST /v1/media/jobs with a key that has the \`media:run\` scope, an Idempotency-Key and \`{prompt, provider?, seconds?, size?}\` returns 202 with the job; read GET /v1/media/jobs/{jobId} until its status is completed, failed, cancelled or unknown. A clip costs ${mediaCreditsPerSecond} credits per second, charged only once it can be fetched. The full contract: ${origin}/media/openapi.json.`

function modelLines({ modelProviders, defaultModelProvider }: ServiceFacts): string {
  return [
    `If a call names no provider, \`${defaultModelProvider}\` is used. The first model of each provider is its default.`,
    table(
      ['provider', 'models', 'max prompt (characters)', 'max output (tokens)'],
      modelProviders.map(({ name, models, maxPromptChars, maxOutputTokens }) => [
        name,
        models.join(', ') || 'disabled',
        maxPromptChars ?? '-',
        maxOutputTokens ?? '-',
      ]),
    ),
  ].join('\n\n')
}

function shapeSections(operations: readonly Operation[], { components }: Publisher): string {
  const shown = new Set(
    operations.flatMap(({ request, responses }) => [request, ...responses.map((row) => row.schema)].map(titleOf)),
  )
  return Object.entries(components)
    .filter(([name]) => !shown.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const note = schema.description ? `${schema.description}\n\n` : ''
      return `### ${name}\n\n${note}${fieldLines(schema).join('\n') || `An empty ${typeText(schema)}.`}`
    })
    .join('\n\n')
}

const titleOf = (schema: TSchema | undefined) => (schema as { title?: string } | undefined)?.title

function errorLines(operations: readonly Operation[]): string {
  const rows = codesIn(operations).map((code) => [errors[code].status, code, errors[code].meaning, errors[code].retry])
  return table(['status', 'code', 'meaning', 'what to do'], rows)
}

function table(head: string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
