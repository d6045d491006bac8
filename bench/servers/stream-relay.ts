import { createServer } from 'node:http'
import { pipeline } from 'node:stream'
import { Pool } from 'undici'
import { serve } from './serve.ts'

/** A streaming relay without books: node:http in front, undici behind, every event parsed and written anew. */
const upstream = new Pool(process.argv[3]!, { connections: 4096, pipelining: 1 })

serve(
  createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (chunks.length === 0) return void response.writeHead(404).end()
    const asked = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const { statusCode, headers, body } = await upstream.request({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
    response.writeHead(statusCode, { 'content-type': String(headers['content-type']) })
    pipeline(body, rewritten, response, () => {})
  }),
)

async function* rewritten(source: AsyncIterable<Buffer>) {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const bytes of source) {
    rest += decoder.decode(bytes, { stream: true })
    const events = rest.split('\n\n')
    rest = events.pop()!
    let text = ''
    for (const event of events) {
      const data = event.slice('data: '.length)
      text +=
        data === '[DONE]' ? 'data: [DONE]\n\n' : `data: ${JSON.stringify({ ...JSON.parse(data), id: 'relay' })}\n\n`
    }
    if (text !== '') yield text
  }
}
