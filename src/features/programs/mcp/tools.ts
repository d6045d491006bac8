import { type TSchema, Type } from '../../../base/schema.ts'
import { closed } from '../../../contract/field.ts'
import { idempotencyKeyMaxLength } from '../../../contract/headers.ts'
import type { Operation } from '../../../contract/operation.ts'
import {
  billableOperations,
  type ChargedOperation,
  fenOfCredits,
  mediaOperation,
  type PaymentMode,
  prices,
  pricingDocument,
  pricingVersion,
  type Scope,
  yuanOfFen,
} from '../../../contract/prices.ts'
import { Pricing } from '../../../contract/schemas/pricing.ts'
import { createJobId, mediaOperations } from '../../calls/media/operations.ts'
import { keyReadOperations, OwnKey } from '../key-api/contract.ts'
import type { KeyApi } from '../key-api/key-api.ts'
import type { KeyOwner } from '../key-api/store.ts'

export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema: object
  readonly _meta: { readonly credits: number; readonly cnyFen: number; readonly pricingVersion: string }
}

export interface McpTool {
  readonly listed: ListedTool
  /** Null for tools that every key may use. */
  readonly scope: Scope | null
  readonly run: ToolRun
}

/** Either the route of an operation that is charged, or a read that costs nothing and has one parameter at most. */
export type ToolRun =
  | { readonly kind: 'charged'; readonly operationId: string; readonly operation: ChargedOperation }
  | { readonly kind: 'read'; readonly operationId: string; readonly parameter: string }
  | {
      readonly kind: 'free'
      readonly parameter: string | null
      readonly read: (owner: KeyOwner, value: string) => Promise<object>
    }

interface ToolDeps {
  readonly operation: (id: string) => Operation
  readonly keyApi: KeyApi
  readonly paymentMode: PaymentMode
  readonly media: { readonly providers: readonly string[]; readonly creditsPerSecond: number }
}

/** All tools, in a fixed order: the price list, videos, then what is free. */
export function createTools({ operation, keyApi, paymentMode, media }: ToolDeps): McpTool[] {
  const mediaById = new Map(mediaOperations(media.providers, media.creditsPerSecond).map((found) => [found.id, found]))
  const charged = (name: string, source: Operation, scope: Scope, credits: number, per = ''): McpTool => ({
    listed: listed(name, source, costs(credits, per), credits, inputOf(source.request!, idempotencyKey)),
    scope,
    run: { kind: 'charged', operationId: source.id, operation: source.billing?.operation ?? mediaOperation },
  })
  const free = (
    name: string,
    about: Pick<Operation, 'summary' | 'responses'> & Partial<Operation>,
    run: ToolRun,
    scope: Scope | null = null,
  ): McpTool => {
    const parameter = run.kind === 'charged' ? null : run.parameter
    const input = closed(parameter === null ? {} : { [parameter]: Type.String({ minLength: 1, maxLength: 80 }) })
    return { listed: listed(name, about, 'Free.', 0, input), scope, run }
  }
  return [
    ...billableOperations.map((id) =>
      charged(id.replace('.', '_'), operation(id), prices[id].scope, prices[id].credits),
    ),
    charged('create_video', mediaById.get(createJobId)!, 'media:run', media.creditsPerSecond, ' a second'),
    free(
      'get_video',
      mediaById.get('media.jobs.read')!,
      { kind: 'read', operationId: 'media.jobs.read', parameter: 'jobId' },
      'media:run',
    ),
    free('get_balance', aboutBalance, {
      kind: 'free',
      parameter: null,
      async read(owner) {
        const { credits, budget, rateLimit } = await keyApi.key(owner)
        return { credits, budget, rateLimit }
      },
    }),
    free('get_prices', aboutPrices, {
      kind: 'free',
      parameter: null,
      read: async () => ({ ...pricingDocument(paymentMode), mediaCreditsPerSecond: media.creditsPerSecond }),
    }),
    free('get_charge', keyReadOperations.find(({ id }) => id === 'charges.read')!, {
      kind: 'free',
      parameter: 'chargeId',
      read: (owner, chargeId) => keyApi.charge(owner, chargeId),
    }),
  ]
}

const okResponse = (schema: TSchema) => [
  { status: 200, description: '', contentType: 'application/json' as const, schema, example: null },
]

const { credits, budget, rateLimit } = OwnKey.properties
const aboutBalance = {
  summary: 'Read the balance',
  description: 'What the key can still spend: the credits of the project, its own budget, and its rate limit.',
  responses: okResponse(closed({ credits, budget, rateLimit })),
}
const aboutPrices = {
  summary: 'Read the price list',
  description: 'The price of each operation, and of a second of video.',
  responses: okResponse(closed({ ...Pricing.properties, mediaCreditsPerSecond: Type.Integer({ minimum: 1 }) })),
}

const idempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: idempotencyKeyMaxLength,
    description: 'Reuse the same value when you repeat this call.',
  }),
)

const inputOf = (request: TSchema, key: TSchema) =>
  closed({ ...(request as unknown as { properties: Record<string, TSchema> }).properties, idempotencyKey: key })

export const costs = (credits: number, per = ''): string =>
  `Costs ${credits} ${credits === 1 ? 'credit' : 'credits'} (${yuanOfFen(fenOfCredits(credits))} yuan)${per}.`

function listed(
  name: string,
  { summary, description, responses }: Pick<Operation, 'summary' | 'responses'> & Partial<Operation>,
  price: string,
  credits: number,
  input: TSchema,
): ListedTool {
  let inputSchema: SchemaObject | undefined
  let outputSchema: SchemaObject | undefined
  return {
    name,
    description: `${description ?? `${summary}.`} ${price}`,
    // Made when an agent asks for them: most starts need none.
    get inputSchema() {
      inputSchema ??= plainSchema(input as unknown as SchemaObject)
      return inputSchema
    },
    get outputSchema() {
      outputSchema ??= plainSchema(responses[0]!.schema as unknown as SchemaObject)
      return outputSchema
    },
    _meta: { credits, cnyFen: fenOfCredits(credits), pricingVersion },
  }
}

type SchemaObject = Readonly<Record<string, unknown>>

/** The schema without what only this gateway understands, complete in itself. */
export function plainSchema(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      switch (keyword) {
        case 'x-error-code':
        case 'discriminator':
        case 'title':
        case 'examples':
          return []
        case 'uniqueItemRefs':
          return [['uniqueItems', value]]
        case 'properties':
        case 'dependentSchemas': {
          const fields = Object.entries(value as Record<string, SchemaObject>)
          return [[keyword, Object.fromEntries(fields.map(([name, field]) => [name, plainSchema(field)]))]]
        }
        case 'items':
        case 'not':
          return [[keyword, plainSchema(value as SchemaObject)]]
        case 'oneOf':
        case 'anyOf':
          return [[keyword, (value as SchemaObject[]).map(plainSchema)]]
        default:
          return [[keyword, value]]
      }
    }),
  )
}
