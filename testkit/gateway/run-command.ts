import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../../src/cli/command-line.ts'
import type { Migration } from '../../src/storage/schema/migrations.ts'
import { requireKind } from '../kind.ts'
import type { Database } from '../store/engines.ts'
import { cheapPasswords } from './cheap-passwords.ts'
import { compileCache } from './compile-cache.ts'

export interface Ran {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly clock?: () => number
  /** What the program knows of the schema. */
  readonly migrations?: readonly Migration[]
  /** What the command reads from standard input. */
  readonly stdin?: string
}

/** The command line in this process, on the store of a test, with a cheap password hash. */
export async function runCommand(database: Database, argv: string[], options: RunOptions = {}): Promise<Ran> {
  const stdout = new Collector()
  const stderr = new Collector()
  const exitCode = await runCommandLine({
    argv,
    environment: environmentOf(database, options),
    stdout,
    stderr,
    stdin: Readable.from([options.stdin ?? '']),
    passwordCost: cheapPasswords,
    ...(options.clock && { clock: options.clock }),
    ...(options.migrations && { migrations: options.migrations }),
  })
  return { exitCode, stdout: stdout.text, stderr: stderr.text }
}

/** The command line as an operator runs it. */
export async function spawnCommand(database: Database, argv: string[], options: RunOptions = {}): Promise<Ran> {
  const { child, exited } = startProcess(database, argv, options)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [exitCode] = await exited
  return { exitCode, stdout, stderr }
}

/** The same, to be killed in between. */
export function startCommand(database: Database, argv: string[], options: RunOptions = {}) {
  const { child, exited } = startProcess(database, argv, options)
  return {
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function startProcess(database: Database, argv: string[], options: RunOptions) {
  requireKind('process', 'A command of its own')
  const child = spawn(process.execPath, [commandLine, ...argv], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...environmentOf(database, options) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(options.stdin ?? '')
  return { child, exited: once(child, 'exit') }
}

const commandLine = fileURLToPath(new URL('../../src/cli/cli.ts', import.meta.url))

const environmentOf = ({ databaseUrl, dataDir }: Database, { environment }: RunOptions) => ({
  DATABASE_URL: databaseUrl,
  GATEWAY_DATA_DIR: dataDir,
  // Nothing listens on port 9, so no test finds another gateway.
  GATEWAY_LISTEN: '127.0.0.1:9',
  GATEWAY_OPERATOR_LISTEN: 'off',
  ...environment,
})

class Collector extends Writable {
  text = ''
  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.text += String(chunk)
    done()
  }
}
