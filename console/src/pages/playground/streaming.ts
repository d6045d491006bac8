import { Unreachable } from '../../api/ask.ts'
import type { Catalog } from '../../api/types.ts'
import type { JsonObject } from './schema.ts'

/** Where a client of the OpenAI protocol sends a chat. */
export const completionsPath = '/v1/chat/completions'

/** The request of model.chat in the words of that protocol. */
export function asCompletion({ prompt, provider, model }: JsonObject, catalog: Catalog | null): JsonObject {
  const first = catalog?.modelProviders.find((row) => row.provider === provider)?.defaultModel
  const alias = model ?? (provider === undefined ? undefined : first)
  const name = provider === undefined || alias === undefined ? alias : `${provider}/${alias}`
  return {
    ...(typeof name === 'string' && { model: name }),
    messages: [{ role: 'user', content: prompt ?? '' }],
    stream: true,
    stream_options: { include_usage: true },
  }
}

export interface StreamedResponse {
  /** What the parts add up to, or the error that ended them. */
  readonly body: JsonObject
  readonly errorCode: string | null
}

interface Chunk {
  readonly id: string
  readonly model: string
  readonly choices: readonly { readonly delta: { readonly content?: string }; readonly finish_reason: string | null }[]
  readonly usage?: JsonObject | null
  readonly error?: { readonly code: string }
}

/** Reads the parts of a response. Throws `Unreachable` if they stop without an end. */
export async function readStream(response: Response, onText: (text: string) => void): Promise<StreamedResponse> {
  let content = ''
  let facts: JsonObject = {}
  let rest = ''
  const decoder = new TextDecoder()
  const reader = response.body!.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((cause) => {
      throw new Unreachable(cause)
    })
    rest += decoder.decode(value, { stream: !done })
    const events = rest.split('\n\n')
    rest = events.pop()!
    for (const event of events) {
      if (!event.startsWith('data: ')) continue
      const data = event.slice('data: '.length)
      if (data === '[DONE]') return { body: { ...facts, content }, errorCode: null }
      const chunk = JSON.parse(data) as Chunk
      if (chunk.error) return { body: chunk as unknown as JsonObject, errorCode: chunk.error.code }
      const [choice] = chunk.choices
      content += choice?.delta.content ?? ''
      facts = {
        ...facts,
        ...{ id: chunk.id, model: chunk.model },
        ...(choice?.finish_reason && { finish_reason: choice.finish_reason }),
        ...(chunk.usage && { usage: chunk.usage }),
      }
      onText(content)
    }
    if (done) throw new Unreachable(new Error('the stream has no end'))
  }
}
