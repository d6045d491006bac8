import { availableParallelism, loadavg } from 'node:os'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { limitMsOf } from './slow-files.ts'

const listed = 10

/** Lists the slowest files at the end of a run, and fails it if one takes longer than it may. */
export class SlowFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({ name: relative(process.cwd(), module.moduleId), ms: module.diagnostic().duration }))
      .sort((a, b) => b.ms - a.ms)
    if (files.length < listed) return
    const lines = files.slice(0, listed).map(({ name, ms }) => `  ${seconds(ms).padStart(7)}  ${name}`)
    process.stdout.write(`\n  The slowest files:\n${lines.join('\n')}\n`)
    // Of the last minute and the last five.
    const loadPerCore = Math.max(...loadavg().slice(0, 2)) / availableParallelism()
    for (const { name, ms } of files) {
      const limitMs = limitMsOf(name, loadPerCore)
      if (ms <= limitMs) continue
      process.stdout.write(
        `  TOO SLOW: ${name} took ${seconds(ms)} of ${seconds(limitMs)}; split it, make it wait less, or say why in testkit/slow-files.ts.\n`,
      )
      process.exitCode = 1
    }
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
