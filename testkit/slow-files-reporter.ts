import { availableParallelism, loadavg } from 'node:os'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** The goal is 20 seconds; sequencer, races, transfer, sign-in and migrate are above it on a busy machine. */
const limitMs = 60_000
const listed = 10
/** A run of our own has a load of about 2 for each core. Above this, something else runs too, and times say little. */
const busyLoadPerCore = 3.5

/**
 * Lists the slowest files at the end of a run, and fails it if a unit test file takes longer than it may. Files of the other
 * kinds wait for browsers and programs: they are listed, and judged by whoever reads the list.
 */
export class SlowFilesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => ({
        name: relative(process.cwd(), module.moduleId),
        ms: module.diagnostic().duration,
        isJudged: module.project.name === 'unit',
      }))
      .sort((a, b) => b.ms - a.ms)
    if (files.length < listed) return
    const lines = files.slice(0, listed).map(({ name, ms }) => `  ${seconds(ms).padStart(7)}  ${name}`)
    process.stdout.write(`\n  The slowest files:\n${lines.join('\n')}\n`)
    const slow = files.filter(({ ms, isJudged }) => isJudged && ms > limitMs)
    if (slow.length === 0) return
    const load = loadavg()[0]! / availableParallelism()
    if (load > busyLoadPerCore) {
      process.stdout.write(`  Not judged: this machine is busy with ${load.toFixed(1)} processes for each core.\n`)
      return
    }
    process.stdout.write(
      slow.map(({ name, ms }) => `  TOO SLOW: ${name} took ${seconds(ms)}; split it, or make it wait less.\n`).join(''),
    )
    process.exitCode = 1
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
