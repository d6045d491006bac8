import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { memoryFlags } from '../../src/ops/memory-flags.ts'
import { requireKind } from '../kind.ts'
import { compileCache } from './compile-cache.ts'

const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface GatewayProcess {
  readonly port: number
  readonly pid: number
  /** SIGKILL for the whole process tree; resolves when it is gone. */
  kill(): Promise<void>
  /** SIGSTOP: nothing of it runs until `resume`. */
  pause(): void
  resume(): void
  /** SIGTERM; resolves with the exit code. */
  terminate(): Promise<number | null>
  readonly exited: Promise<unknown>
}

export interface ProcessOptions {
  readonly environment: Readonly<Record<string, string>>
  readonly port: number
}

/** The gateway as an operator runs it: its own process, its own port. Resolves once it serves. */
export async function startGatewayProcess({ environment, port }: ProcessOptions): Promise<GatewayProcess> {
  requireKind('process', 'A gateway of its own')
  const child = spawn(process.execPath, [...memoryFlags, mainFile], {
    // A process group of its own, so that a kill takes everything it started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'error',
      // Covers the first file too, which Node loads before the gateway can name the cache itself.
      NODE_COMPILE_CACHE: compileCache,
      GATEWAY_OPERATOR_LISTEN: 'off',
      GATEWAY_LISTEN: `127.0.0.1:${port}`,
      ...environment,
    },
  })
  const exited = once(child, 'exit')
  await serving(child, exited)
  return {
    port,
    pid: child.pid!,
    exited,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
      await exited
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async terminate() {
      child.kill('SIGTERM')
      const [code] = await exited
      return code as number | null
    },
  }
}

async function serving(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  let output = ''
  const announced = new Promise<void>((resolve) => {
    child.stdout!.on('data', (chunk) => {
      output += chunk
      if (output.includes('API Relay Gateway serves')) resolve()
    })
    child.stderr!.on('data', (chunk) => {
      output += chunk
    })
  })
  await Promise.race([
    announced,
    exited.then(() => {
      throw new Error(`the gateway did not start:\n${output}`)
    }),
  ])
}
