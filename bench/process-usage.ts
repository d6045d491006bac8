import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Resource usage of processes, all threads included; null without /proc. */

const hasProc = existsSync('/proc/self/stat')
const ticksPerSecond = hasProc ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0

/** Their total user and system time so far, with that of their children that have ended: sessions of PostgreSQL come and go. */
export function cpuSeconds(pids: readonly number[]): number | null {
  if (!hasProc) return null
  const stats = pids.map((pid) => statOf(pid)).filter((stat) => stat !== undefined)
  return stats.length === 0 ? null : stats.reduce((sum, stat) => sum + stat.ticks + stat.endedTicks, 0) / ticksPerSecond
}

/** Usage of a process's first thread: in Node, the event loop. */
export function loopCpuSeconds(pid: number): number | null {
  const stat = statOf(pid, `/proc/${pid}/task/${pid}/stat`)
  return stat ? stat.ticks / ticksPerSecond : null
}

/** Current resident memory. */
export function residentMb(pids: readonly number[]): number | null {
  if (!hasProc) return null
  return pids.map(residentKb).reduce((sum, kb) => sum + kb, 0) / 1024
}

/** A process and all that descend from it. */
export function processTree(root: number): number[] {
  if (!hasProc) return [root]
  const children = Map.groupBy(everyProcess(), ({ parent }) => parent)
  const tree = [root]
  for (const pid of tree) tree.push(...(children.get(pid) ?? []).map((child) => child.pid))
  return tree
}

/** The direct children of this process that run a program of that name. */
export const childrenCalled = (name: string): number[] =>
  everyProcess()
    .filter((candidate) => candidate.parent === process.pid && candidate.name === name)
    .map(({ pid }) => pid)

interface Stat {
  readonly pid: number
  readonly name: string
  readonly parent: number
  readonly ticks: number
  /** Of children that have ended. */
  readonly endedTicks: number
}

const everyProcess = (): Stat[] =>
  hasProc
    ? readdirSync('/proc')
        .filter((entry) => /^\d+$/.test(entry))
        .map((entry) => statOf(Number(entry)))
        .filter((stat) => stat !== undefined)
    : []

/** The name is in parentheses and may contain anything, so fields are counted from its end. */
function statOf(pid: number, file = `/proc/${pid}/stat`): Stat | undefined {
  const text = read(file)
  if (!text) return undefined
  const nameEnd = text.lastIndexOf(')')
  const fields = text.slice(nameEnd + 2).split(' ')
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    parent: Number(fields[1]),
    ticks: Number(fields[11]) + Number(fields[12]),
    endedTicks: Number(fields[13]) + Number(fields[14]),
  }
}

const residentKb = (pid: number) => Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0)

/** A process may end between being listed and being read. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
