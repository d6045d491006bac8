import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { atExit } from './at-exit.ts'

export interface ServerOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Responds, with any status, once the server is up. */
  readonly readyUrl: string
  /** Where its standard output goes; /dev/null by default. */
  readonly outputFile?: string
}

export interface ServerProcess {
  readonly pid: number
  /** From the spawn to the first response. */
  readonly startedInMs: number
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

const startLimitMs = 60_000
const stopLimitMs = 30_000
const pollMs = 5

/** A server in its own process, which ends when this process ends. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const startedAt = performance.now()
  const child = spawn(options.command, options.args, {
    stdio: ['pipe', openSync(options.outputFile ?? '/dev/null', 'a'), 'pipe'],
    env: { PATH: process.env.PATH, ...options.environment },
  })
  const complaints = tailOf(child)
  const exited = once(child, 'exit') as Promise<[number | null]>
  exited.catch(() => {})
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const kill = () => child.kill('SIGKILL')
  atExit.add(kill)
  while (!(await responds(options.readyUrl))) {
    const isLate = performance.now() - startedAt > startLimitMs
    if (isLate) kill()
    if (isLate || hasEnded()) throw new Error(`${options.name} did not start:\n${complaints()}`)
    await delay(pollMs)
  }
  return {
    pid: child.pid!,
    startedInMs: performance.now() - startedAt,
    async stop() {
      child.kill('SIGTERM')
      const deadline = setTimeout(kill, stopLimitMs)
      const [code] = hasEnded() ? [child.exitCode] : await exited
      clearTimeout(deadline)
      atExit.delete(kill)
      return code
    },
  }
}

async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(1000) })
    await response.arrayBuffer()
    return true
  } catch {
    return false
  }
}

const keptCharacters = 4000

function tailOf(child: ChildProcess): () => string {
  let text = ''
  child.stderr!.on('data', (chunk) => {
    text = (text + chunk).slice(-keptCharacters)
  })
  return () => text
}
