import { type Static, Type } from '../../../base/schema.ts'
import { type ErrorCode, errors } from '../../../contract/errors.ts'
import { DateTime, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { view } from '../../../contract/operations/access.ts'
import { type PageParameters, pageLimit, pageParameters, type QueryOf } from '../../../contract/paging.ts'
import { keyIdPattern } from '../../../contract/schemas/keys.ts'

/** Of each key, the newest refused calls are listed, for a day. */
export const listedPerKey = 100
export const listedHours = 24
/** How long the counts of each hour are kept. */
export const countedHours = 7 * 24

const refusedStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 429])

/** Whether a call with this code was refused before it had a charge. */
export const isRefusedWith = (code: string): boolean => refusedStatuses.has(errors[code as ErrorCode]?.status)

const codes = (Object.keys(errors) as ErrorCode[]).filter(isRefusedWith)

const code = Type.String({
  pattern: '^[A-Z_]+$',
  maxLength: 64,
  description: 'The error code that the caller received.',
})
const keyId = Type.String({ pattern: keyIdPattern, maxLength: 64 })
const requestIdPattern = '^req_[A-Za-z0-9]+$'

const RefusedCall = named('RefusedCall', {
  at: DateTime('When the request arrived.'),
  keyId,
  operation: Type.String({
    minLength: 1,
    description:
      'What was called: an operation such as model.chat, openai.completions for `/v1/chat/completions`, or mcp.',
  }),
  code,
  requestId: Type.String({ pattern: requestIdPattern, description: 'The X-Request-Id of the call.' }),
})

const RefusedCalls = named('RefusedCalls', {
  items: Type.Array(RefusedCall, { maxItems: pageLimit.maximum, description: 'The newest first.' }),
  nextAfter: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'Send it as `after` for the next page; null when there is none.',
  }),
  hours: Type.Array(
    named('RefusedInHour', {
      hour: DateTime('The beginning of the hour.'),
      code,
      count: Type.Integer({ minimum: 1, description: 'Calls that were refused with this code.' }),
    }),
    {
      description: `Every refused call of the last ${countedHours / 24} days is counted, the newest hour first.`,
      maxItems: (countedHours + 1) * codes.length,
    },
  ),
})

const parameters = { keyId, code, ...pageParameters(requestIdPattern) }

export const refusedCallOperations = [
  view({
    id: 'console.refusals.list',
    tag: 'Usage',
    path: '/v1/console/refusals',
    summary: 'List calls that were refused without a charge',
    description: `Calls with a key of the project that got 400, 401, 402, 403 or 429 and have no charge. The newest ${listedPerKey} of each key are listed, for ${listedHours} hours. A call shows up within a few seconds; a crash of the gateway can lose the last ones.`,
    queryParameters: parameters,
    response: response(200, 'A page of refused calls, and how many there were in each hour.', RefusedCalls),
  }),
]

export type RefusedCalls = Static<typeof RefusedCalls>
export type RefusedCallParameters = PageParameters & QueryOf<Pick<typeof parameters, 'keyId' | 'code'>>
