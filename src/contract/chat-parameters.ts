/**
 * The parameters of a chat completion that the gateway handles itself. An entry that is not `supported` says which values mean "off":
 * those are dropped, because front ends send them unconditionally; others are refused.
 */
export const chatParameters = {
  model: 'supported',
  messages: 'supported',
  stream: 'supported',
  stream_options: 'supported',
  temperature: 'supported',
  top_p: 'supported',
  max_tokens: 'supported',
  max_completion_tokens: 'supported',
  stop: 'supported',
  seed: 'supported',
  tools: 'supported',
  tool_choice: 'supported',
  parallel_tool_calls: 'supported',
  response_format: 'supported',
  presence_penalty: 'supported',
  frequency_penalty: 'supported',
  n: 'supported',
  user: 'supported',
  metadata: 'supported',
  store: [false],
  logprobs: [false],
  top_logprobs: [0],
  service_tier: ['auto', 'default'],
  modalities: [['text']],
  logit_bias: [{}],
  functions: [[]],
  prompt_cache_key: 'dropped',
  prompt_cache_retention: 'dropped',
  safety_identifier: 'dropped',
  cache_control: 'dropped',
} as const satisfies Record<string, 'supported' | 'dropped' | readonly unknown[]>

export type ChatParameter = keyof typeof chatParameters

/** How deep a body may be nested: the schema of a tool alone is often 20 deep. */
export const completionJsonDepth = 128

/** Passed on to the provider if its `passes` lists them, else dropped. */
export const passedParameters = [
  'reasoning_effort',
  'thinking',
  'enable_thinking',
  'chat_template_kwargs',
  'verbosity',
] as const

export type PassedParameter = (typeof passedParameters)[number]
