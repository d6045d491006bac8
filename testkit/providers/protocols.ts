import type { HttpAdapter, HttpModelSettings } from '../../src/providers/models/model-provider.ts'

/** What a protocol looks like on the wire. */
export interface ProtocolSample {
  readonly path: string
  /** The body of a prompt for `upstream-fast`, with at most 4096 tokens of output. */
  readonly request: (prompt: string) => object
  readonly credential: (secret: string) => Readonly<Record<string, string>>
  readonly whole: (content: unknown, usage?: SampleUsage | null) => object
  /** Whole responses that break the contract. */
  readonly broken: Readonly<Record<string, object>>
  /** A stream as text. The last text comes with the finish reason or just before it. */
  readonly stream: (texts: readonly string[], usage?: SampleUsage) => string
  /** The start of a stream that has not finished. */
  readonly begun: (text: string) => string
  readonly errorEvent: string
}

interface SampleUsage {
  readonly input: unknown
  readonly output?: unknown
  /** For a protocol that reports it. */
  readonly total?: unknown
}

const event = (value: object, name?: string) =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`

const openAi = {
  usage: ({ input, output, total }: SampleUsage) => ({
    prompt_tokens: input,
    completion_tokens: output,
    ...(total !== undefined && { total_tokens: total }),
  }),
  choice: (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, finish_reason }] }),
}

/** One for each adapter over HTTP. */
export const protocolSamples: Readonly<Record<HttpAdapter, ProtocolSample>> = {
  openai: {
    path: '/chat/completions',
    request: (prompt) => ({
      model: 'upstream-fast',
      messages: [{ role: 'user', content: prompt }],
      max_tokens: 4096,
      stream: false,
    }),
    credential: (secret) => ({ authorization: `Bearer ${secret}` }),
    whole: (content, usage) => ({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: 'upstream-fast-2026',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      ...(usage !== undefined && { usage: usage && openAi.usage(usage) }),
    }),
    broken: {
      'no choices': {},
      'an empty list of choices': { choices: [] },
      'no message': { choices: [{}] },
    },
    stream: (texts, usage) =>
      [
        ...texts.map((content) => openAi.choice({ content })),
        openAi.choice({}, 'stop'),
        ...(usage ? [event({ choices: [], usage: openAi.usage(usage) })] : []),
        'data: [DONE]\n\n',
      ].join(''),
    begun: (content) => openAi.choice({ content }),
    errorEvent: event({ error: { message: 'overloaded' } }),
  },
}

export const httpAdapters = Object.keys(protocolSamples) as HttpAdapter[]

export const httpModelSettings = (baseUrl: string, changes: Partial<HttpModelSettings> = {}): HttpModelSettings => ({
  adapter: 'openai',
  baseUrl,
  models: { fast: 'upstream-fast', slow: 'upstream-slow' },
  maxPromptChars: 100,
  maxOutputTokens: 4096,
  limitField: 'max_tokens',
  passes: ['reasoning_effort'],
  streamTimeoutMs: 600_000,
  onCutStream: 'review',
  timeoutMs: 30_000,
  maxConcurrent: 8,
  breaker: { failures: 3, coolSeconds: 30 },
  ...changes,
})
