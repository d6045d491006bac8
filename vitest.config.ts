import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { BrowserReporter } from './testkit/browser/browser-reporter.ts'
import { compileCache } from './testkit/gateway/compile-cache.ts'
import { ToolReporter } from './testkit/tool-reporter.ts'

/** Files that take longest: browsers, and programs that are started and killed. */
const longest =
  /\/(console\/browser|operator-console)\/|\/(crash|docs-page|failover|fuzz|jobs|kills|model|operations-commands|package|point-in-time|rotation|simulation|start-faults|storm|three-instances|transfer)\.test\.ts$/

/** The longest files first, so that no worker is left alone with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They boot systemd in namespaces, which not every container allows: `npm run test:machines`.
    exclude: process.env.TEST_MACHINES ? [] : ['test/deploy/two-machines.test.ts'],
    reporters: ['default', new BrowserReporter(), new ToolReporter()],
    globalSetup: ['testkit/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Files share a process and what it has loaded: a fifth of the time. None of them may leave anything behind.
    isolate: false,
    // One more than cores: many tests wait for a time limit, a lease or a process, and another one uses the time.
    maxWorkers: 3,
    // Each SQLite store starts a thread that loads the source again: a third less work with the cache of compiled files.
    env: { NODE_COMPILE_CACHE: compileCache },
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // A condition is waited for, not a duration: the default of one second fails on a busy machine.
    expect: { poll: { timeout: 30_000 } },
  },
})
