import type { TSchema } from 'typebox'
import { errors } from '../contract/errors.ts'
import { publicResponseHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { codesIn } from '../contract/operations/access.ts'
import { pricingDocument } from '../contract/prices.ts'
import { guide, product } from './guide.ts'
import { fieldLines, typeText } from './llms/fields.ts'
import { operationSection } from './llms/operation-section.ts'
import { createPublisher, type Publisher } from './published-schema.ts'
import type { ServiceFacts } from './service-facts.ts'

/** The whole contract as one text: enough for a program to use the service with nothing else at hand. */
export function llmsText({ operations, facts }: { operations: readonly Operation[]; facts: ServiceFacts }): string {
  const { origin } = facts
  const publisher = createPublisher()
  const sections = operations.map((operation) => operationSection(operation, publisher, origin))
  return [
    `# ${product.title}`,
    `> ${product.summary}`,
    product.introduction,
    `Contract version: ${product.contractVersion}. Base URL: ${origin}. The same contract as OpenAPI 3.1: ${origin}/openapi.json. For people: ${origin}/docs.`,
    ...guide({ operations, origin }).map(({ title, text }) => `## ${title}\n\n${text}`),
    `## Headers of answers\n\n${headerLines()}`,
    `## Prices\n\n${priceLines(facts)}`,
    `## Limits of this service\n\n${limitLines(facts).join('\n')}`,
    `## Models\n\n${modelLines(facts)}`,
    `## Media jobs\n\n${mediaLines(facts)}`,
    `## Operations\n\n${operations.map(({ method, path, summary }) => `- ${method} ${path}: ${summary}`).join('\n')}`,
    ...sections,
    `## Shared shapes\n\nThose named above and not listed with an operation.\n\n${shapeSections(operations, publisher)}`,
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
    `- Largest body: ${facts.bodyLimitBytes} bytes, else 413 \`PAYLOAD_TOO_LARGE\`. It must arrive within ${facts.bodyDeadlineMs / 1000} seconds, else 408 \`REQUEST_TIMEOUT\`.`,
    `- A session lasts ${facts.sessionLifetimeSeconds} seconds. ${keyLifetimeSeconds === null ? 'Keys do not expire.' : `A key lasts ${keyLifetimeSeconds} seconds.`} A project has at most ${facts.activeKeysLimit} active keys, else 429 \`RATE_LIMITED\`.`,
    `- A stored answer can be replayed for ${facts.resultDays} days; its key ${facts.idempotencyDays === null ? 'never charges again even afterwards' : `does not charge again for ${facts.idempotencyDays} days, and is a new key after that`}. Once the answer is gone, a call that repeats the key is answered 409 \`IDEMPOTENCY_CONFLICT\` and nothing is charged.`,
    `- A search answers from the cache of its project for ${facts.searchCacheSeconds} seconds. An item that it returned can be read for ${facts.snapshotDays} days.`,
    '- Fixed-window rate limits, answered with 429 `RATE_LIMITED` and `Retry-After`:',
    ...facts.rateLimits.map(
      ({ what, max, windowSeconds }) => `  - ${what.replace(/\.$/, '')}: ${max} in ${windowSeconds} seconds`,
    ),
  ]
}

const mediaLines = ({ origin, mediaCreditsPerSecond }: ServiceFacts) =>
  `Videos take minutes, so they are jobs: POST /v1/media/jobs with a key of the scope \`media:run\`, an Idempotency-Key and \`{prompt, provider?, seconds?, size?}\` answers 202 with the job; read GET /v1/media/jobs/{jobId} until its status is completed, failed, cancelled or unknown. A clip costs ${mediaCreditsPerSecond} credits per second, and only when it can be fetched. The whole contract: ${origin}/media/openapi.json.`

function modelLines({ modelProviders, defaultModelProvider }: ServiceFacts): string {
  return [
    `Provider when a call names none: \`${defaultModelProvider}\`. The first model of a provider is its default.`,
    table(
      ['provider', 'models', 'longest prompt in characters'],
      modelProviders.map(({ name, models, maxPromptChars }) => [
        name,
        models.join(', ') || 'disabled',
        maxPromptChars ?? '-',
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
