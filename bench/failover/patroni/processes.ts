import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { atExit } from '../../at-exit.ts'
import { processTree } from '../../process-usage.ts'

/** PostgreSQL refuses to run as root. */
export const postgresUser: { readonly uid: number; readonly gid: number } | null =
  process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : null

function idOf(option: '-u' | '-g'): number {
  try {
    return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    // Only the package creates the user; `missingForPatroni` says so.
    return 0
  }
}

/** A program that ends with this process, and writes its output to a file. */
export function startProgram(program: string, args: readonly string[], log: string, options: SpawnOptions = {}) {
  const output = openSync(log, 'a')
  const child = spawn(program, args, { stdio: ['ignore', output, output], ...options })
  closeSync(output)
  const end = () => signal([child.pid!], 'SIGKILL')
  atExit.add(end)
  child.once('exit', () => atExit.delete(end))
  return child
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** One that has ended since is left out. */
export function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Twice, because a process may have been started between the list and the signal. */
export function signalTrees(roots: readonly number[], name: NodeJS.Signals): void {
  const first = roots.flatMap(processTree)
  signal(first, name)
  const known = new Set(first)
  signal(
    roots.flatMap(processTree).filter((pid) => !known.has(pid)),
    name,
  )
}
