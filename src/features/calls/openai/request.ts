import { isDeepStrictEqual } from 'node:util'
import { type TObject, type TSchema, Type } from '../../../base/schema.ts'
import { type ChatParameter, chatParameters, passedParameters } from '../../../contract/chat-parameters.ts'
import { Choice } from '../../../contract/field.ts'
import type { CompletionBody, CompletionMessage } from '../../../providers/models/completion.ts'
import type { Conversation } from '../../../relay/operations/operation.ts'
import {
  anyObject,
  choice,
  either,
  emptyOr,
  flag,
  integer,
  isObject,
  isText,
  list,
  number,
  object,
  off,
  ParameterFault,
  type RequestParameter,
  required,
  text,
  unsupported,
  variants,
} from './parameters.ts'
import { passedSchemas, readPassed } from './passed-parameters.ts'

const maxTools = 128
const maxStops = 4

/** A hint for the provider's cache, which only some know. */
const cache_control = off(Type.Unknown(), () => true)

/** Only text. What else a part can be is not supported, rather than wrong. */
function textPart(title: string, others: 'refused' | 'dropped'): RequestParameter<{ type: 'text'; text: string }> {
  const known = object(title, { type: required(choice('text')), text: required(text()), cache_control }, others)
  return {
    schema: known.schema,
    read(value, path) {
      if (isObject(value) && isText(value.type) && value.type !== 'text')
        throw unsupported(`${path}.type`, `${value.type.slice(0, 64)} is not supported by this model: text only`)
      return known.read(value, path)
    },
  }
}

const content = either(isText, text(), list(textPart('TextPart', 'refused'), 1))
const saidContent = either(isText, text(), list(textPart('AssistantTextPart', 'dropped'), 1))
const saidCall = object(
  'ToolCall',
  {
    id: required(text({ minLength: 1 })),
    type: required(choice('function')),
    function: required(
      object(null, { name: required(text({ minLength: 1 })), arguments: required(text()) }, 'dropped'),
    ),
  },
  'dropped',
)
const name = text({ minLength: 1 })

const spoken = <R extends string>(role: R, title: string) =>
  object(title, { role: required(choice(role)), content: required(content), name, cache_control })

/** Clients send their library's own object back, with fields of that library, so others than these are dropped. */
const assistant: RequestParameter<CompletionMessage> = (() => {
  const fields = {
    role: required(choice('assistant')),
    content: saidContent,
    name,
    refusal: text(),
    reasoning_content: text(),
    reasoning: text(),
    tool_calls: emptyOr(list(saidCall, 1, maxTools)),
    annotations: off(
      Type.Array(Type.Unknown(), { maxItems: 0 }),
      (value) => Array.isArray(value) && value.length === 0,
    ),
    audio: off(Type.Null(), () => false),
    function_call: off(Type.Null(), () => false),
    cache_control,
  }
  const known = object('AssistantMessage', fields, 'dropped')
  const absent = { type: 'null' }
  const allAbsent = { content: absent, refusal: absent, reasoning_content: absent, reasoning: absent }
  return {
    schema: Type.Unsafe({
      ...known.schema,
      description: 'Has content, a refusal, tool calls or reasoning. Other fields are dropped.',
      examples: [{ role: 'assistant', content: 'Mount Everest.' }],
      not: { properties: { ...allAbsent, tool_calls: { type: ['array', 'null'], maxItems: 0 } } },
    }),
    read(value, path) {
      const message = known.read(value, path)
      const { content, refusal, tool_calls, reasoning_content, reasoning } = message
      if ([content, refusal, tool_calls, reasoning_content, reasoning].every((part) => part === undefined))
        throw new ParameterFault('INVALID_PARAMETER', `${path}.content`, `${path}.content is missing.`)
      return message
    },
  }
})()

const message = variants<CompletionMessage>('role', {
  system: spoken('system', 'SystemMessage'),
  developer: spoken('developer', 'DeveloperMessage'),
  user: spoken('user', 'UserMessage'),
  assistant,
  tool: object('ToolMessage', {
    role: required(choice('tool')),
    content: required(content),
    tool_call_id: required(text({ minLength: 1 })),
    name,
    cache_control,
  }),
})

const tool = object('Tool', {
  type: required(choice('function')),
  function: required(
    object(null, {
      name: required(text({ minLength: 1, maxLength: 64 })),
      description: text(),
      parameters: anyObject(),
      strict: flag(),
    }),
  ),
  cache_control,
})

const toolChoice = either(
  isText,
  choice('none', 'auto', 'required'),
  object(null, {
    type: required(choice('function')),
    function: required(object(null, { name: required(text({ minLength: 1 })) })),
  }),
)

const responseFormat = variants<object>('type', {
  text: object(null, { type: required(choice('text')) }),
  json_object: object(null, { type: required(choice('json_object')) }),
  json_schema: object(null, {
    type: required(choice('json_schema')),
    json_schema: required(
      object(null, {
        name: required(text({ minLength: 1, maxLength: 64 })),
        description: text(),
        schema: anyObject(),
        strict: flag(),
      }),
    ),
  }),
})

/** At most 16 short texts by name, as in the protocol. */
const metadata: RequestParameter<Record<string, string>> = {
  schema: Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 512 }), { maxProperties: 16 }),
  read(value, path) {
    const value16 = text({ maxLength: 512 })
    const entries = Object.entries(anyObject().read(value, path))
    if (entries.length > 16 || entries.some(([key]) => key.length > 64))
      throw new ParameterFault('INVALID_PARAMETER', path, `${path} may have at most 16 keys of 64 characters.`)
    return Object.fromEntries(entries.map(([key, entry]) => [key, value16.read(entry, `${path}.${key}`)]))
  },
}

/** One response per call: its price is fixed. */
const one: RequestParameter<number> = {
  schema: Type.Literal(1),
  read(value, path) {
    if (integer(1).read(value, path) > 1) throw unsupported(path)
    return 1
  },
}

/** Of the list of the contract: the values that mean "off" are dropped. */
const offIn = (name: ChatParameter): RequestParameter<undefined> => {
  const use = chatParameters[name]
  if (typeof use === 'string') return off(Type.Unknown(), () => use === 'dropped')
  const values: readonly unknown[] = use
  return off(oneOf(values), (value) => values.some((one) => isDeepStrictEqual(one, value)))
}

/** Typed: generators of clients do not understand an `enum` of lists and objects. */
function oneOf(values: readonly unknown[]): TSchema {
  if (values.every(isText)) return Choice([...values])
  const [value] = values
  if (Array.isArray(value))
    return Type.Array(value.length > 0 ? oneOf(value) : Type.Unknown(), {
      ...(value.length > 0 && { minItems: value.length }),
      maxItems: value.length,
    })
  return isObject(value) ? Type.Object({}, { maxProperties: 0 }) : Type.Literal(value as boolean)
}

const fields = {
  model: text(),
  messages: required(list(message, 1)),
  stream: flag(),
  stream_options: object(null, { include_usage: flag() }),
  temperature: number(0, 2),
  top_p: number(0, 1),
  max_tokens: integer(1),
  max_completion_tokens: integer(1),
  stop: either(isText, text(), emptyOr(list(text(), 1, maxStops))),
  seed: integer(Number.MIN_SAFE_INTEGER),
  tools: emptyOr(list(tool, 1, maxTools)),
  tool_choice: toolChoice,
  parallel_tool_calls: flag(),
  response_format: responseFormat,
  presence_penalty: number(-2, 2),
  frequency_penalty: number(-2, 2),
  n: one,
  user: text(),
  metadata,
  store: offIn('store'),
  logprobs: offIn('logprobs'),
  top_logprobs: offIn('top_logprobs'),
  service_tier: offIn('service_tier'),
  modalities: offIn('modalities'),
  logit_bias: offIn('logit_bias'),
  functions: offIn('functions'),
  prompt_cache_key: offIn('prompt_cache_key'),
  prompt_cache_retention: offIn('prompt_cache_retention'),
  safety_identifier: offIn('safety_identifier'),
  cache_control: offIn('cache_control'),
} satisfies Record<ChatParameter, RequestParameter>

const parameters = object('ChatCompletionRequest', fields)

export const ChatCompletionRequest = Type.Object(
  {
    ...(parameters.schema as TObject).properties,
    ...passedSchemas,
  },
  {
    title: 'ChatCompletionRequest',
    additionalProperties: true,
    description:
      'Other parameters are refused, unless the provider of the model is configured to take them. Send max_tokens or max_completion_tokens, not both.',
    not: {
      required: ['max_tokens', 'max_completion_tokens'],
      properties: { max_tokens: { type: 'integer' }, max_completion_tokens: { type: 'integer' } },
    },
  },
)

export interface CompletionCall {
  readonly request: Conversation
  readonly isStream: boolean
  readonly includesUsage: boolean
}

/** The parameters that the provider of a model takes as they are. */
export type PassesOf = (model: string | undefined) => readonly string[]

/** Reads the body of a chat completion. Throws a `ParameterFault`. */
export function readCompletion(value: Record<string, unknown>, passesOf: PassesOf): CompletionCall {
  const { known, passed } = withoutPassed(value, passesOf)
  const { model, stream, stream_options, n: _, user, metadata: labels, ...body } = parameters.read(known, '')
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    const param = 'max_tokens'
    throw new ParameterFault('INVALID_PARAMETER', param, 'Send max_tokens or max_completion_tokens, not both.')
  }
  return {
    request: {
      completion: {
        ...(model !== undefined && { model }),
        body: { ...(body as CompletionBody), ...(passed && { passed }) },
        ...(user !== undefined && { user }),
        ...(labels !== undefined && { metadata: labels }),
      },
    },
    isStream: stream ?? false,
    includesUsage: stream_options?.include_usage ?? false,
  }
}

const isOwn = (name: string) => Object.hasOwn(fields, name)

/** Splits off what is not ours to understand. The provider drops what it does not take of the usual ones. */
function withoutPassed(value: Record<string, unknown>, passesOf: PassesOf) {
  const others = Object.keys(value).filter((name) => !isOwn(name) && value[name] !== null)
  if (others.length === 0) return { known: value, passed: null }
  const passes = passesOf(isText(value.model) ? value.model : undefined)
  const isPassed = (name: string) => passes.includes(name) || passedParameters.some((usual) => usual === name)
  const pick = (isPicked: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => isPicked(name)))
  const passed = Object.fromEntries(others.filter(isPassed).map((name) => [name, readPassed(name, value[name])]))
  return {
    known: pick((name) => !Object.hasOwn(passed, name)),
    passed: Object.keys(passed).length > 0 ? passed : null,
  }
}
