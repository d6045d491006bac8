import { fileURLToPath } from 'node:url'
import { freePort } from '../../testkit/http/free-port.ts'
import { processTree } from '../process-usage.ts'
import { type ServerOptions, startServer } from '../server-process.ts'
import { type ChatResponse, chatRequest, completion, completionRequest, echoOutput, prompt } from '../workload.ts'
import { type Contestant, type Group, judgeJson } from './contestant.ts'

export interface Plain {
  readonly id: string
  readonly name: string
  readonly group: Group
  /** Whether it takes the gateway's request format or the upstream's. */
  readonly asks: 'chat' | 'completion'
  /** Text that the response must contain; by default that of the upstream. */
  readonly output?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly server: (port: number) => Command | Promise<Command>
}

type Command = Omit<ServerOptions, 'name' | 'readyUrl'>

const upstreamText = completion.choices[0]!.message.content
/** Sent to servers without accounts too, so that every request has the same headers. */
const bearers = ['gk_live_0000000000000000000000000000000000000000000']

/** A contestant that keeps no books. */
export async function startPlain({ id, name, group, asks, output, headers, server }: Plain): Promise<Contestant> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const running = await startServer({ name, readyUrl: `${origin}/`, ...(await server(port)) })
  const expected = output ?? upstreamText
  return {
    id,
    name,
    group,
    status: 200,
    plan: (run) => ({
      origin,
      method: 'POST',
      path: asks === 'chat' ? '/v1/models/chat' : '/v1/chat/completions',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: asks === 'chat' ? chatRequest : completionRequest,
      bearers,
      intents: { prefix: `${run}-`, stored: null },
    }),
    judge:
      asks === 'chat'
        ? judgeJson<ChatResponse>(({ data }) => data.output === expected)
        : judgeJson<typeof completion>(({ choices }) => choices[0]!.message.content === expected),
    processes: () => processTree(running.pid),
    databaseProcesses: () => [],
    finish: async () => {
      await running.stop()
      return []
    },
  }
}

const file = (name: string) => fileURLToPath(new URL(`../servers/${name}.ts`, import.meta.url))
const node = (name: string, ...args: string[]) => ({
  server: (port: number) => ({ command: process.execPath, args: [file(name), String(port), ...args] }),
})

export const startUpstream = () =>
  startPlain({
    id: 'upstream',
    name: 'the upstream itself',
    group: 'limit',
    asks: 'completion',
    ...node('upstream'),
  })

export const startNodeEcho = () =>
  startPlain({
    id: 'node-echo',
    name: 'bare node:http echo',
    group: 'limit',
    asks: 'chat',
    output: echoOutput(prompt),
    ...node('node-echo'),
  })

export const startFastifyEcho = () =>
  startPlain({
    id: 'fastify-echo',
    name: 'bare Fastify echo',
    group: 'limit',
    asks: 'chat',
    output: echoOutput(prompt),
    ...node('fastify-echo'),
  })

export const startFastifyRelay = (upstreamOrigin: string) =>
  startPlain({
    id: 'fastify-relay',
    name: 'bare Fastify + undici relay',
    group: 'limit',
    asks: 'chat',
    ...node('fastify-relay', upstreamOrigin),
  })
