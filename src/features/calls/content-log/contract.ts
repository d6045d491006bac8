import { type Static, Type } from '../../../base/schema.ts'
import { chargeIdPattern, DateTime, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { view } from '../../../contract/operations/access.ts'

/** How long contents are kept. */
export const contentDays = 7
/** Of a request and of a response; what follows is cut. */
export const maxContentBytes = 32_768

const KeptText = named('KeptText', {
  text: Type.String({ description: `JSON, or its first ${maxContentBytes} bytes.` }),
  bytes: Type.Integer({ minimum: 0, description: 'The length of the whole text in UTF-8.' }),
  isCut: Type.Boolean({ description: 'Whether the end of the text was not kept.' }),
})

/** Request and response of a call. */
export const CallContents = named('CallContents', {
  chargeId: Type.String({ pattern: chargeIdPattern }),
  request: KeptText,
  response: KeptText,
  status: Type.Integer({ minimum: 100, maximum: 599, description: 'The HTTP status of the response.' }),
  keptUntil: DateTime('When both are deleted.'),
})
export type CallContents = Static<typeof CallContents>

export const contentOperations = [
  view({
    id: 'console.usage.content',
    tag: 'Usage',
    path: '/v1/console/usage/{chargeId}/content',
    summary: 'Read the request and the response of a call',
    description: `Kept for ${contentDays} days if \`logsContent\` was on for the key when the call was accepted; otherwise there is none. Never part of an export, file or event. Calls that were refused without a charge and media jobs have none.`,
    pathParameters: { chargeId: { pattern: chargeIdPattern, code: 'NOT_FOUND' } },
    response: response(200, 'The request and the response.', CallContents),
    ownErrors: ['NOT_FOUND'],
  }),
]
