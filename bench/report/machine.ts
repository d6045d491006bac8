import { execFileSync } from 'node:child_process'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { median } from '../statistics.ts'

/** What a reader must know to compare figures: the machine, its disk, and whether it was busy with something else. */
export interface Machine {
  readonly date: string
  /** What was measured; null outside a git checkout. */
  readonly commit: string | null
  readonly cpu: string
  readonly memoryGb: number
  readonly system: string
  /** Median time to sync 4 KiB to the disk that holds the stores. */
  readonly syncMs: number
  readonly loadBefore: number
}

export function describeMachine(workDir: string): Machine {
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: commitOf(),
    cpu: `${availableParallelism()} x ${cpus()[0]?.model || 'unnamed processor'} (${arch()})`,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${distribution()}, ${type()} ${release().split('-')[0]}`,
    syncMs: syncTimeMs(join(workDir, 'sync-probe')),
    loadBefore: loadavg()[0]!,
  }
}

/** A higher load before the start means that the machine is busy and the figures must not be quoted. */
const idleLoad = 0.5
export const isBusy = ({ loadBefore }: Machine) => loadBefore > idleLoad * Math.max(1, availableParallelism() / 2)

export function machineLines(machine: Machine): string[] {
  const { date, commit, cpu, memoryGb, system, syncMs, loadBefore } = machine
  return [
    `- date: ${date} UTC`,
    `- commit: ${commit ?? 'unknown'}`,
    `- machine: ${cpu}, ${memoryGb} GB memory, ${system}`,
    `- disk: 4 KiB written and synced in ${syncMs.toFixed(2)} ms (median of ${syncs})`,
    `- load average before the run: ${loadBefore.toFixed(2)}${isBusy(machine) ? ' — **others were at work: do not quote these figures**' : ''}`,
  ]
}

/** The version that the gateway's own packages have. */
export const packageVersion = (name: string): string =>
  (createRequire(import.meta.url)(`${name}/package.json`) as { version: string }).version

function distribution(): string {
  try {
    return /^PRETTY_NAME="?(.*?)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'unknown system'
  } catch {
    return 'unknown system'
  }
}

/** Marked when files differ from the commit. */
function commitOf(): string | null {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=7'], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim()
  } catch {
    return null
  }
}

const syncs = 100

function syncTimeMs(file: string): number {
  const descriptor = openSync(file, 'w')
  const page = Buffer.alloc(4096, 1)
  const times = Array.from({ length: syncs }, () => {
    const startedAt = performance.now()
    writeSync(descriptor, page)
    fsyncSync(descriptor)
    return performance.now() - startedAt
  })
  closeSync(descriptor)
  return median(times)
}
