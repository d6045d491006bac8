import { createServer } from 'node:http'
import { chatResponse, echoOutput } from '../workload.ts'
import { serve } from './serve.ts'

/** The baseline of Node itself: read JSON, write JSON. */
const server = createServer((request, response): void => {
  if (request.method !== 'POST') return void response.writeHead(404).end()
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { prompt } = JSON.parse(Buffer.concat(chunks).toString()) as { prompt: string }
    const body = JSON.stringify(chatResponse(echoOutput(prompt)))
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
})
serve(server)
