import { defineConfig } from 'vitest/config'
import { BrowserReporter } from './test/support/browser-reporter.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', new BrowserReporter()],
    globalSetup: ['test/support/global-postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
