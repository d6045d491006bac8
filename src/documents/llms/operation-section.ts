import { errors } from '../../contract/errors.ts'
import { requestHeadersOf, sessionCookieName } from '../../contract/headers.ts'
import type { Access, Operation, ResponseRow } from '../../contract/operation.ts'
import { fenOfCredits, yuanOfFen } from '../../contract/prices.ts'
import type { PublishedSchema, Publisher } from '../published-schema.ts'
import { fieldLines, typeText } from './fields.ts'

/** Everything about one operation: how to call it, its fields, a sample, its answers and its errors. */
export function operationSection(operation: Operation, publisher: Publisher, origin: string): string {
  const { id, method, path, deprecated, summary, description, request } = operation
  return [
    `### ${method} ${path}`,
    `${summary}${deprecated ? ' (deprecated)' : ''}. Operation \`${id}\`.${description ? ` ${description}` : ''}`,
    facts(operation),
    parameters(operation),
    request && fields('Request', request as PublishedSchema, publisher),
    sampleRequest(operation, origin),
    ...operation.responses.map((row) => answer(row, publisher)),
    errorList(operation),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const accessText: Record<Access, string> = {
  public: 'nobody has to be signed in',
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

function answer(
  { status, description, contentType, schema, example, headers = [] }: ResponseRow,
  publisher: Publisher,
) {
  const label = `Answer ${status}, ${contentType}`
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
