import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { limitMsOf } from './slow-files.ts'

const listed = 10

/** Lists the slowest files at the end of a run, and fails it if one takes longer than it may. */
export class SlowFilesReporter implements Reporter {
  #before = processorTimes()

  onTestRunStart(): void {
    this.#before = processorTimes()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({ name: relative(process.cwd(), module.moduleId), ms: module.diagnostic().duration }))
      .sort((a, b) => b.ms - a.ms)
    if (files.length < listed) return
    const lines = files.slice(0, listed).map(({ name, ms }) => `  ${seconds(ms).padStart(7)}  ${name}`)
    process.stdout.write(`\n  The slowest files:\n${lines.join('\n')}\n`)
    // Of the last minute and the last five.
    const loadPerCore = Math.max(...loadavg().slice(0, 2)) / availableParallelism()
    const grantedShare = grantedSince(this.#before)
    for (const { name, ms } of files) {
      const limitMs = limitMsOf(name, loadPerCore) / grantedShare
      if (ms <= limitMs) continue
      process.stdout.write(
        `  TOO SLOW: ${name} took ${seconds(ms)} of ${seconds(limitMs)}; split it, make it wait less, or say why in testkit/slow-files.ts.\n`,
      )
      process.exitCode = 1
    }
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

interface ProcessorTimes {
  readonly used: number
  readonly stolen: number
}

/** Of all cores since the start of the system. A virtual machine waits while its host serves others, which no load average shows. */
function processorTimes(): ProcessorTimes {
  if (!existsSync('/proc/stat')) return { used: 0, stolen: 0 }
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .split(/ +/)
    .map(Number)
  return { used: user + nice + system + irq + softirq, stolen }
}

/** The share that the host granted of what the machine could have used. */
function grantedSince(before: ProcessorTimes): number {
  const now = processorTimes()
  const used = now.used - before.used
  return used === 0 ? 1 : used / (used + now.stolen - before.stolen)
}
