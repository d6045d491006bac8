import Fastify from 'fastify'
import { Pool } from 'undici'
import { chatResponse, type completion } from '../workload.ts'
import { endWithParent, portArgument } from './serve.ts'

/** A relay without books: Fastify in front, undici behind, JSON converted both ways. */
const upstream = new Pool(process.argv[3]!, { connections: 1024, pipelining: 1 })
const app = Fastify()
app.post<{ Body: { prompt: string } }>('/v1/models/chat', async (request) => {
  const response = await upstream.request({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      model: 'bench-model',
      messages: [{ role: 'user', content: request.body.prompt }],
      stream: false,
    }),
  })
  const { choices } = (await response.body.json()) as typeof completion
  return chatResponse(choices[0]!.message.content)
})
await app.listen({ host: '127.0.0.1', port: portArgument() })
endWithParent()
