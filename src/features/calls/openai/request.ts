import { Type } from '../../../base/schema.ts'
import type { CompletionBody, CompletionMessage } from '../../../providers/models/completion.ts'
import type { Conversation } from '../../../relay/operations/operation.ts'
import {
  anyObject,
  choice,
  either,
  flag,
  integer,
  isObject,
  isText,
  list,
  number,
  object,
  ParameterFault,
  type RequestParameter,
  required,
  text,
  unsupported,
  variants,
} from './parameters.ts'

const maxTools = 128
const maxStops = 4

/** Only text. What else a part can be is not supported, rather than wrong. */
const part: RequestParameter<{ type: 'text'; text: string }> = (() => {
  const known = object('TextPart', { type: required(choice('text')), text: required(text()) })
  return {
    schema: known.schema,
    read(value, path) {
      if (isObject(value) && isText(value.type) && value.type !== 'text') throw unsupported(`${path}.type`)
      return known.read(value, path)
    },
  }
})()

const content = either(isText, text(), list(part, 1))
const toolCall = object('ToolCall', {
  id: required(text({ minLength: 1 })),
  type: required(choice('function')),
  function: required(object(null, { name: required(text({ minLength: 1 })), arguments: required(text()) })),
})
/** Clients send it back with a response of ours, where it is null. */
const refusal: RequestParameter<never> = {
  schema: Type.Null(),
  read(_, path) {
    throw new ParameterFault('INVALID_PARAMETER', path, `${path} must be null.`)
  },
}
const name = text({ minLength: 1 })

const spoken = <R extends string>(role: R, title: string) =>
  object(title, { role: required(choice(role)), content: required(content), name })

const assistant: RequestParameter<CompletionMessage> = (() => {
  const known = object('AssistantMessage', {
    role: required(choice('assistant')),
    content,
    name,
    refusal,
    tool_calls: list(toolCall, 1, maxTools),
  })
  return {
    schema: known.schema,
    read(value, path) {
      const message = known.read(value, path)
      if (message.content === undefined && message.tool_calls === undefined)
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

const parameters = object('ChatCompletionRequest', {
  model: text(),
  messages: required(list(message, 1)),
  stream: flag(),
  stream_options: object(null, { include_usage: flag() }),
  temperature: number(0, 2),
  top_p: number(0, 1),
  max_tokens: integer(1),
  max_completion_tokens: integer(1),
  stop: either(isText, text(), list(text(), 1, maxStops)),
  seed: integer(Number.MIN_SAFE_INTEGER),
  tools: list(tool, 1, maxTools),
  tool_choice: toolChoice,
  parallel_tool_calls: flag(),
  response_format: responseFormat,
  presence_penalty: number(-2, 2),
  frequency_penalty: number(-2, 2),
  n: one,
  user: text(),
  metadata,
})

export const ChatCompletionRequest = parameters.schema

export interface CompletionCall {
  readonly request: Conversation
  readonly isStream: boolean
  readonly includesUsage: boolean
}

/** Reads the body of a chat completion. Throws a `ParameterFault`. */
export function readCompletion(value: Record<string, unknown>): CompletionCall {
  const { model, stream, stream_options, n: _, user, metadata: labels, ...body } = parameters.read(value, '')
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    const param = 'max_tokens'
    throw new ParameterFault('INVALID_PARAMETER', param, 'Send max_tokens or max_completion_tokens, not both.')
  }
  return {
    request: {
      completion: {
        ...(model !== undefined && { model }),
        body: body as CompletionBody,
        ...(user !== undefined && { user }),
        ...(labels !== undefined && { metadata: labels }),
      },
    },
    isStream: stream ?? false,
    includesUsage: stream_options?.include_usage ?? false,
  }
}
