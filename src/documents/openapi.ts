import type { ErrorRow } from '../contract/error-codes/row.ts'
import { errors as publicErrors } from '../contract/errors.ts'
import { sessionCookieName } from '../contract/headers.ts'
import { type Access, type Operation, tags as publicTags } from '../contract/operation.ts'
import { fenOfCredits, yuanOfFen } from '../contract/prices.ts'
import { requestExampleOf } from '../contract/sample.ts'
import { guide, product } from './guide.ts'
import {
  type AnyOperation,
  type ErrorShape,
  type OpenapiParameter,
  parametersOf,
  type Response,
  responsesOf,
  shapeExamples,
  sharedHeaders,
} from './openapi-parts.ts'
import { createPublisher, type PublishedSchema, type Publisher } from './published-schema.ts'

export interface OpenapiOperation {
  readonly operationId: string
  readonly tags: string[]
  readonly summary: string
  readonly description: string
  readonly deprecated?: true
  readonly security: Record<string, string[]>[]
  readonly parameters: OpenapiParameter[]
  readonly requestBody?: object
  readonly responses: Record<string, Response>
  readonly 'x-credits'?: number
  readonly 'x-scope'?: string
}

export interface DocumentOptions {
  readonly operations: readonly AnyOperation[]
  readonly origin: string
  /** What a document other than the public one says about itself. */
  readonly about?: { readonly title: string; readonly summary: string; readonly description: string }
  /** Those of the public contract by default. */
  readonly tags?: Readonly<Record<string, string>>
  readonly errors?: Readonly<Record<string, ErrorRow>>
  /** How errors look, if not as usual. */
  readonly errorShape?: ErrorShape | undefined
  readonly cookieName?: string
  /** Of headers whose description differs from the public one, by name. */
  readonly headerTexts?: Readonly<Record<string, string>>
}

/** The OpenAPI 3.1 document of the given operations, all of it taken from the contract's tables. */
export function openapiDocument({
  operations,
  origin,
  about,
  tags = publicTags,
  errors = publicErrors,
  errorShape,
  cookieName = sessionCookieName,
  headerTexts = {},
}: DocumentOptions) {
  const publisher = createPublisher()
  const paths: Record<string, Record<string, OpenapiOperation>> = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    paths[operation.path]![operation.method.toLowerCase()] = describe(operation, {
      publisher,
      origin,
      errors,
      errorShape,
      headerTexts,
    })
  }
  const used = new Set(operations.map(({ tag }) => tag))
  const pathsText = JSON.stringify(paths)
  return {
    openapi: '3.1.1',
    info: {
      ...{ version: product.contractVersion, license },
      ...(about ?? {
        title: product.title,
        summary: product.summary,
        description: introduction(operations as readonly Operation[], origin),
      }),
    },
    servers: [{ url: origin, description: 'The canonical origin.' }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: withExamples(publisher.components, shapeExamples(operations)),
      headers: only(withTexts(sharedHeaders, headerTexts), (name) =>
        pathsText.includes(`"#/components/headers/${name}"`),
      ),
      securitySchemes: only(securitySchemes(cookieName), (name) =>
        operations.some((operation) => securityOf(operation)[operation.access].some((scheme) => name in scheme)),
      ),
    },
  }
}

const license = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' }

const securitySchemes = (cookieName: string) => ({
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName,
    description: 'Set by signing in. HttpOnly: a page cannot read it.',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description: 'Goes with the session cookie on every write.',
  },
  key: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of the project, with the scope of the operation.',
  },
})

interface DescribeContext {
  readonly publisher: Publisher
  readonly origin: string
  readonly errors: Readonly<Record<string, ErrorRow>>
  readonly errorShape: ErrorShape | undefined
  readonly headerTexts: Readonly<Record<string, string>>
}

function describe(
  operation: AnyOperation,
  { publisher, origin, errors, errorShape, headerTexts }: DescribeContext,
): OpenapiOperation {
  const { id, tag, summary, deprecated, request, billing } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(operation),
    ...(deprecated && { deprecated }),
    security: securityOf(operation)[operation.access],
    parameters: parametersOf(operation, origin).map((row) => ({
      ...row,
      ...(row.name in headerTexts && { description: headerTexts[row.name]! }),
    })),
    ...(request && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: publisher.publish(request), example: requestExampleOf(operation) } },
      },
    }),
    responses: responsesOf(operation, publisher, errors, errorShape),
    ...(billing && { 'x-credits': billing.credits, 'x-scope': billing.scope }),
    ...(operation.scope && { 'x-scope': operation.scope }),
  }
}

const securityOf = ({ billing, scope }: AnyOperation): Record<Access, Record<string, string[]>[]> => ({
  public: [],
  origin: [],
  session: [{ session: [] }],
  'session-write': [{ session: [], csrf: [] }],
  key: [{ key: [billing?.scope ?? scope ?? []].flat() }],
})

function descriptionOf({ description, summary, billing }: AnyOperation): string {
  const price =
    billing &&
    `Costs ${billing.credits} credits (CNY ${yuanOfFen(fenOfCredits(billing.credits))}). Needs a key with the scope \`${billing.scope}\`.`
  return [description ?? `${summary}.`, price].filter(Boolean).join('\n\n')
}

function introduction(operations: readonly Operation[], origin: string): string {
  const sections = guide({ operations, origin }).map(({ title, text }) => `## ${title}\n\n${text}`)
  return [product.introduction, ...sections].join('\n\n')
}

const withExamples = (schemas: Record<string, PublishedSchema>, examples: ReadonlyMap<string, unknown>) =>
  Object.fromEntries(
    Object.entries(schemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => [name, { ...schema, examples: [examples.get(name)] }]),
  )

const only = <T>(components: Readonly<Record<string, T>>, isUsed: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(components).filter(([name]) => isUsed(name)))

const withTexts = <T extends object>(rows: Readonly<Record<string, T>>, texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, name in texts ? { ...row, description: texts[name]! } : row]),
  )
