import type { ProviderNames } from '../choices.ts'
import type { ErrorCode } from '../errors.ts'
import { businessExamples } from '../examples.ts'
import { ManualReview } from '../field.ts'
import { type Operation, response, type Tag } from '../operation.ts'
import { type BillableOperation, billableOperations, prices } from '../prices.ts'
import { businessSchemas, Settled } from '../schemas/business.ts'
import { errorsOf } from './access.ts'

const charge: ErrorCode[] = [
  'INSUFFICIENT_PAID_CREDITS',
  'IDEMPOTENCY_CONFLICT',
  'ADAPTER_FAILURE',
  'PROVIDER_CAPACITY_EXHAUSTED',
]
const provider: ErrorCode[] = [
  'PROVIDER_CONTRACT_INVALID',
  'PROVIDER_REQUEST_REJECTED',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_DISABLED',
  'PROVIDER_AUTH_REQUIRED',
  'PROVIDER_RATE_LIMITED',
]
const shop: ErrorCode[] = [...provider, 'PROVIDER_REDIRECT_FORBIDDEN']
const search: ErrorCode[] = [
  'INVALID_QUERY',
  'PROVIDER_NOT_ALLOWED',
  'INVALID_LIMIT',
  'INVALID_SORT',
  'INVALID_FILTERS',
]
const items: ErrorCode[] = ['INVALID_ITEM_REFS', 'INVALID_ITEM_REF']
const snapshot: ErrorCode = 'PROVIDER_CAPABILITY_UNSUPPORTED'

interface BusinessRow {
  summary: string
  description: string
  tag: Tag
  errors: ErrorCode[]
}

const rows: Record<BillableOperation, BusinessRow> = {
  'model.chat': {
    tag: 'Models',
    summary: 'Ask a model',
    description: 'Forwards one prompt to a model provider and returns its output.',
    errors: [
      'PROVIDER_NOT_ALLOWED',
      'INVALID_MODEL',
      'INVALID_PROMPT',
      'MODEL_NOT_ALLOWED',
      'PROMPT_TOO_LARGE',
      'PROVIDER_CIRCUIT_OPEN',
      ...provider,
    ],
  },
  'shopping.search': {
    tag: 'Shopping',
    summary: 'Search the shops',
    description: 'Returns at most three items. Results are cached per project; a cached result costs the same.',
    errors: [...search, ...shop],
  },
  'pick.search': {
    tag: 'Pick',
    summary: 'Search for items to pick from',
    description: 'Like shopping.search. The other pick operations of the same project can read the items it returns.',
    errors: [...search, ...shop],
  },
  'pick.filter': {
    tag: 'Pick',
    summary: 'Filter items',
    description: 'Keeps the items that meet the criteria, from items that a search returned to this project.',
    errors: [...items, 'INVALID_FILTERS', snapshot],
  },
  'pick.compare': {
    tag: 'Pick',
    summary: 'Compare items',
    description: 'Puts two or three items side by side by price, availability and highlights.',
    errors: [...items, snapshot],
  },
  'pick.recommend': {
    tag: 'Pick',
    summary: 'Rank items',
    description: 'Ranks items, best first, by a fixed rule: the same items and preferences always give the same order.',
    errors: [...items, 'INVALID_PREFERENCES', snapshot],
  },
  'pick.prepurchase_review': {
    tag: 'Pick',
    summary: 'Review an item before buying',
    description: 'Lists what is known about an item and what you need to check elsewhere before buying.',
    errors: ['INVALID_ITEM_REF', 'INVALID_REQUIREMENTS', snapshot],
  },
  'pick.links': {
    tag: 'Pick',
    summary: 'Get links to items',
    description: 'Returns an https link for each item, or none at all. Show the disclosure with the links.',
    errors: [...items, snapshot, 'PROVIDER_LINK_FORBIDDEN', ...shop],
  },
  'agent.run': {
    tag: 'Agent',
    summary: 'Run a tool',
    description: 'Runs one pick operation on behalf of an agent, for one fixed price. It cannot create links.',
    errors: [
      'TOOL_NOT_ALLOWED',
      'TOOL_OPERATION_NOT_ALLOWED',
      'INVALID_ARGUMENTS',
      ...search,
      ...items,
      'INVALID_PREFERENCES',
      'INVALID_REQUIREMENTS',
      snapshot,
      ...shop,
    ],
  },
}

export function businessOperations(names: ProviderNames): Operation[] {
  const schemas = businessSchemas(names)
  const examples = businessExamples(names)
  return billableOperations.map((operation) => {
    const { path, scope, credits } = prices[operation]
    const { request, data, usage } = schemas[operation]
    const { errors, ...text } = rows[operation]
    return {
      ...text,
      id: operation,
      method: 'POST',
      path,
      access: 'key',
      takesIdempotencyKey: true,
      billing: { operation, scope, credits },
      request,
      requestExample: examples[operation].request,
      responses: [
        response(
          200,
          'The call succeeded, and its price is settled.',
          Settled(operation, { data, usage }),
          { status: 'settled', operation, chargedCredits: credits, ...examples[operation].result },
          ...(['Idempotent-Replayed', 'X-Charge-Id'] as const),
        ),
        response(
          202,
          'The outcome is uncertain: the credits stay reserved until an operator decides. Never retry automatically.',
          ManualReview(operation),
          { status: 'manual_review', operation, reservedCredits: credits, chargeId: 'chg_01JQ8ZK4T7N2' },
          ...(['Idempotent-Replayed', 'X-Charge-Id'] as const),
        ),
      ],
      errors: errorsOf('key', [...errors, ...charge]),
    } satisfies Operation
  })
}
