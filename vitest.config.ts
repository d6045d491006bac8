import { relative } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { BrowserReporter } from './testkit/browser/browser-reporter.ts'
import { compileCache } from './testkit/gateway/compile-cache.ts'
import type { TestKind } from './testkit/kind.ts'
import { runDirectory } from './testkit/memory-directory.ts'
import { usualSeconds } from './testkit/slow-files.ts'
import { SlowFilesReporter } from './testkit/slow-files-reporter.ts'
import { ToolReporter } from './testkit/tool-reporter.ts'

/** One journey through the console, so that `npm test` notices a page that does not open. */
const smoke = ['test/console/browser/smoke.browser.test.ts']
/** They boot systemd in namespaces, which not every container allows: `npm run test:machines`. */
const machines = process.env.TEST_MACHINES ? [] : ['test/deploy/{two,three}-machines.process.test.ts']

/**
 * A worker goes on only if the next file in the queue is of its own project; otherwise a new one starts, loads everything
 * again and opens another browser. So projects come one after the other. Those that wait most are first.
 */
const order = ['process', 'browser', 'smoke', 'unit']

/** The longest files of each project first, so that no worker is left alone with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ project }: TestSpecification) => order.indexOf(project.name)
    const secondsOf = ({ moduleId }: TestSpecification) => usualSeconds(relative(import.meta.dirname, moduleId))
    return sorted.sort((a, b) => placeOf(a) - placeOf(b) || secondsOf(b) - secondsOf(a))
  }
}

const project = (
  name: string,
  kind: TestKind,
  include: string[],
  exclude: string[] = [],
): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include,
    exclude,
    // Each SQLite store starts a thread that loads the source again: a third less work with the cache of compiled files.
    env: {
      NODE_COMPILE_CACHE: compileCache,
      TEST_KIND: kind,
      // Programs that are killed keep their files on a disk.
      ...(kind !== 'process' && { TMPDIR: runDirectory }),
    },
  },
})

export default defineConfig({
  test: {
    projects: [
      project('unit', 'unit', ['test/**/*.test.ts'], ['test/**/*.{browser,process}.test.ts']),
      project('smoke', 'browser', smoke),
      project('browser', 'browser', ['test/**/*.browser.test.ts'], smoke),
      project('process', 'process', ['test/**/*.process.test.ts'], machines),
    ],
    reporters: ['default', new BrowserReporter(), new ToolReporter(), new SlowFilesReporter()],
    globalSetup: ['testkit/global-setup.ts'],
    setupFiles: ['testkit/setup.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Memory for processor time: a seventh of it went into collecting garbage in the background, on cores that tests need.
    execArgv: [
      '--single-threaded-gc',
      '--min-semi-space-size=16',
      '--max-semi-space-size=32',
      '--initial-heap-size=512',
    ],
    // Files share a process and what it has loaded: a fifth of the time. None of them may leave anything behind.
    isolate: false,
    // Twice the two cores: many tests wait for a time limit, a lease or a process, and another one uses the time.
    maxWorkers: 4,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A condition is waited for, not a duration: the default of one second fails on a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
})
