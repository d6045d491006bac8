import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { compile } from '../../src/contract/validate.ts'
import { ParameterFault } from '../../src/features/calls/openai/parameters.ts'
import { readCompletion } from '../../src/features/calls/openai/request.ts'
import { oneLine, reasonLimit } from '../../src/operator-kit/actor.ts'
import { ReasonRequest } from '../../src/operator-kit/operation.ts'
import { documents } from '../../testkit/docs/documents.ts'

/** What a validator makes of the named schemas of a document. Compiled once: that takes longest. */
function checksOf(document: object) {
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  ajv.addSchema(JSON.parse(JSON.stringify(document)), 'document')
  return (name: string) => {
    const at = `document#/components/schemas/${name}`
    return ajv.getSchema(at) ?? ajv.compile({ $ref: at })
  }
}

describe('the document of chat completions', () => {
  const check = checksOf(documents.openai)('ChatCompletionRequest')
  const isRead = (body: object) => {
    try {
      readCompletion(body as Record<string, unknown>, () => [])
      return true
    } catch (error) {
      if (error instanceof ParameterFault) return false
      throw error
    }
  }
  const messages = [{ role: 'user', content: 'Name a mountain.' }]
  const said = (message: object) => ({ messages: [...messages, { role: 'assistant', ...message }] })
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }

  test.each([
    [true, { messages, max_tokens: 1 }],
    [true, { messages, max_tokens: null, max_completion_tokens: 1 }],
    [true, { messages, max_tokens: 1, max_completion_tokens: null }],
    [false, { messages, max_tokens: 1, max_completion_tokens: 1 }],
    [true, said({ content: '' })],
    [true, said({ content: null, tool_calls: [call] })],
    [true, said({ reasoning: 'It is high.' })],
    [true, said({ reasoning_content: '' })],
    [false, said({})],
    [false, said({ content: null, refusal: null })],
    [false, said({ tool_calls: [] })],
    [false, said({ reasoning: null, tool_calls: null })],
    [true, { messages, store: false, modalities: ['text'], functions: [], logit_bias: {}, top_logprobs: 0 }],
    [true, { messages, service_tier: 'auto', n: 1, logprobs: null }],
    [false, { messages, store: true }],
    [false, { messages, modalities: ['text', 'audio'] }],
    [false, { messages, modalities: [] }],
    [false, { messages, functions: [{}] }],
    [false, { messages, logit_bias: { 1: 1 } }],
    [false, { messages, top_logprobs: 1 }],
    [false, { messages, service_tier: 'flex' }],
  ])('the document of chat completions says %s where the gateway does, of %j', (isValid, body) => {
    expect({ read: isRead(body), published: check(body) }).toEqual({ read: isValid, published: isValid })
  })
})

describe('the document of the operator', () => {
  const checkOf = checksOf(documents.operator)
  const movement = { projectId: 'prj_1', reference: 'transfer 1', reason: 'paid by transfer' }
  const refund = { reference: 'ticket 1', reason: 'asked for it' }

  test.each([
    ['GrantCreditsRequest', true, { ...movement, credits: 100_000 }],
    ['GrantCreditsRequest', false, { ...movement, credits: 100_001 }],
    ['WithdrawCreditsRequest', true, { ...movement, credits: 100_001 }],
    ['RefundPaymentRequest', true, { ...refund, amountFen: 20 }],
    ['RefundPaymentRequest', false, { ...refund, amountFen: 15 }],
    ['FindAccountsRequest', true, { id: 'acc_1' }],
    ['FindAccountsRequest', false, {}],
    ['FindAccountsRequest', false, { id: 'acc_1', phone: '13812345678' }],
    ['OperatorSignInRequest', true, { name: 'mei', password: 'x' }],
    ['OperatorSignInRequest', true, { name: 'mei', password: 'x', totp: '018472' }],
    ['OperatorSignInRequest', true, { token: 'x' }],
    ['OperatorSignInRequest', false, { name: 'mei' }],
    ['OperatorSignInRequest', false, {}],
    ['OperatorSignInRequest', false, { name: 'mei', password: 'x', token: 'x' }],
  ])('the document of the operator knows the rules of %s: %s for %j', (name, isValid, body) => {
    expect(checkOf(name)(body)).toBe(isValid)
  })

  test.each([
    'one line',
    '  trimmed \n',
    '中文',
    'a\tb',
    'a\nb',
    'a\u2028b',
    'a\u0085b',
    ' ',
    '\n',
    'x',
    'a  b',
    '\u0001',
  ])('the document of the operator says of the reason %j what the action says', (reason) => {
    const isValid = oneLine(reason, reasonLimit) !== null
    expect(checkOf('ReasonRequest')({ reason })).toBe(isValid)
    expect(compile(ReasonRequest)({ reason }).ok).toBe(isValid)
  })
})

test('the document of the console has the form of `since`, and the code of a wrong one', () => {
  const { parameters } = documents.console.paths['/v1/console/usage/{chargeId}/receipt.jws']!.get!
  const { schema } = parameters.find(({ name }) => name === 'since')!
  expect(schema).toMatchObject({ pattern: '^(0|[1-9][0-9]{0,14})$', 'x-error-code': 'SINCE_INVALID' })
})
