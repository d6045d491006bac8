interface SlowFiles {
  readonly reason: string
  /** What each of them may take on a machine that does nothing else. */
  readonly seconds: number
  readonly files: readonly string[]
}

const limitSeconds = 20
/** Processes for each core while only our own tests run. */
const ownLoadPerCore = 2

/** Every test file that may take longer than 20 seconds, and why. Take it off the list when it is faster. */
export const slowFiles: readonly SlowFiles[] = [
  {
    reason: 'kills whole gateways under load again and again, and checks the books after each',
    seconds: 200,
    files: ['test/app/kills-postgres.process.test.ts', 'test/app/kills-sqlite.process.test.ts'],
  },
  {
    reason: 'starts PostgreSQL servers of its own, and waits for one to take over or to recover',
    seconds: 100,
    files: [
      'test/storage/failover.process.test.ts',
      'test/storage/old-primary.process.test.ts',
      'test/storage/postgres-loss.process.test.ts',
      'test/cli/point-in-time.process.test.ts',
      'test/cli/restore.process.test.ts',
    ],
  },
  {
    reason: 'starts many gateways or commands, each as a process',
    seconds: 80,
    files: [
      'test/app/start-faults.process.test.ts',
      'test/cli/live.process.test.ts',
      'test/docs/operations-commands.process.test.ts',
      'test/features/calls/media/three-instances.process.test.ts',
      'test/features/calls/native/flood.process.test.ts',
      'test/features/identity/accounts/operator/accounts.process.test.ts',
      'test/ops/log-trouble.process.test.ts',
      'test/ops/rotation.process.test.ts',
    ],
  },
  {
    reason: 'sends or simulates at random, and finds more the longer it runs',
    seconds: 60,
    files: ['test/http/fuzz.process.test.ts', 'test/simulation/simulation.process.test.ts'],
  },
  {
    reason: 'loads the sources of the last release as well',
    seconds: 60,
    files: ['test/simulation/versions/versions.process.test.ts', 'test/storage/last-release.process.test.ts'],
  },
  {
    reason: 'installs packages, as a user or an image does',
    seconds: 60,
    files: ['test/deploy/dockerfile.process.test.ts', 'test/sdk/package.process.test.ts'],
  },
  {
    reason: 'checks a copy of the whole project without a cache, then runs tests there',
    seconds: 80,
    files: ['test/docs/guides.process.test.ts'],
  },
  {
    reason: 'walks through many pages in a browser',
    seconds: 80,
    files: [
      'test/console/accessibility/account-dialogs.browser.test.ts',
      'test/console/accessibility/dialogs.browser.test.ts',
      'test/console/accessibility/money-pages.browser.test.ts',
      'test/console/accessibility/operator-accounting.browser.test.ts',
      'test/console/accessibility/operator-people.browser.test.ts',
      'test/console/accessibility/pages.browser.test.ts',
      'test/console/browser/details.browser.test.ts',
      'test/console/browser/events.browser.test.ts',
      'test/console/browser/home.browser.test.ts',
      'test/console/browser/keys.browser.test.ts',
      'test/console/browser/loading.browser.test.ts',
      'test/console/browser/log.browser.test.ts',
      'test/console/browser/payments.browser.test.ts',
      'test/console/browser/playground.browser.test.ts',
      'test/console/browser/recovery.browser.test.ts',
      'test/console/browser/second-factor.browser.test.ts',
      'test/console/browser/trouble.browser.test.ts',
      'test/console/browser/usage.browser.test.ts',
      'test/console/operator/running.browser.test.ts',
      'test/console/operator/sign-ins.browser.test.ts',
      'test/documents/docs-page.browser.test.ts',
    ],
  },
  {
    reason: 'does all that operators do with money, two of them at once, in a browser',
    seconds: 120,
    files: ['test/console/operator/journeys.browser.test.ts'],
  },
]

/** They take 10 to 20 seconds, which needs no reason, and start first. */
export const longUnitTests: readonly string[] = [
  'test/cli/transfer.test.ts',
  'test/features/calls/media/jobs.test.ts',
  'test/features/calls/native/outcomes.test.ts',
  'test/features/calls/native/refusals.test.ts',
  'test/features/operators/operator-api.test.ts',
  'test/features/records/archives/archives.test.ts',
  'test/features/records/archives/interruptions.test.ts',
  'test/features/records/transparency/receipts/receipts.test.ts',
  'test/features/records/transparency/restore.test.ts',
  'test/features/records/transparency/sequencer.test.ts',
  'test/sdk/sdk.test.ts',
  'test/storage/migrations.test.ts',
  'test/storage/postgres-faults.test.ts',
  'test/storage/sqlite-worker.test.ts',
]

/** How long a file takes compared with others, to start the longest first; zero for those that are not listed. */
export const usualSeconds = (file: string): number =>
  secondsOf(file) ?? (longUnitTests.includes(file) ? limitSeconds : 0)

/** What a file may take: longer in proportion where something else keeps the machine busy. */
export function limitMsOf(file: string, loadPerCore: number): number {
  const seconds = secondsOf(file) ?? limitSeconds
  return seconds * 1000 * Math.max(1, loadPerCore / ownLoadPerCore)
}

const secondsOf = (file: string) => slowFiles.find(({ files }) => files.includes(file))?.seconds
