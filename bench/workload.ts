/** The request to every contestant, so that all read and write about the same bytes. */
export const prompt =
  'Summarise the return policy of the shop in three points for a customer who bought headphones 请用中文回答'

export const chatRequest = JSON.stringify({ prompt })

/** The same question in the upstream's format, for contestants that only pass requests on. */
export const completionRequest = JSON.stringify({
  model: 'bench-model',
  messages: [{ role: 'user', content: prompt }],
  stream: false,
})

/** The upstream's response to every request. */
const upstreamOutput =
  'Returns are free within seven days. Opened headphones are taken back when they are faulty. The money is back within three working days. 七天内可以免费退货。'

export const completion = {
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_756_857_600,
  model: 'bench-model',
  choices: [{ index: 0, message: { role: 'assistant', content: upstreamOutput }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 24, completion_tokens: 37, total_tokens: 61 },
}

export interface ChatResponse {
  readonly status: string
  readonly operation: string
  readonly chargedCredits: number
  readonly data: { readonly provider: string; readonly model: string; readonly output: string }
  readonly usage: { readonly inputUnits: number; readonly outputUnits: number; readonly totalUnits: number }
}

/** A response as long as the gateway's, for servers without books. */
export function chatResponse(output: string): ChatResponse {
  return {
    status: 'settled',
    operation: 'model.chat',
    chargedCredits: 3,
    data: { provider: 'model_provider_a', model: 'local-small', output },
    usage: { inputUnits: 24, outputUnits: 37, totalUnits: 61 },
  }
}

/** Quotes the question, as the local adapter does. */
export const echoOutput = (question: string) =>
  `This is a sample answer of a server that keeps no books. You wrote: “${question}”. No model is connected here, so it only confirms receipt.`

export const creditsPerCall = 3
