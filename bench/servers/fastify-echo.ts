import Fastify from 'fastify'
import { chatResponse, echoOutput } from '../workload.ts'
import { endWithParent, portArgument } from './serve.ts'

/** Fastify as its documentation starts it: no log, no schema, no hooks. */
const app = Fastify()
app.post<{ Body: { prompt: string } }>('/v1/models/chat', async (request) =>
  chatResponse(echoOutput(request.body.prompt)),
)
await app.listen({ host: '127.0.0.1', port: portArgument() })
endWithParent()
