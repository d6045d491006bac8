import type { Reporter } from 'vitest/node'
import { howToInstall, runsBrowser } from './chromium.ts'

/** Says at the end of a run that the browser tests did not run: a green run must not hide it. */
export class BrowserReporter implements Reporter {
  onTestRunEnd(): void {
    if (runsBrowser) return
    const line = '!'.repeat(78)
    process.stdout.write(
      `\n${line}\n  THE BROWSER TESTS DID NOT RUN: no Chromium or Chrome was found.\n  ${howToInstall}\n  With REQUIRE_BROWSER=1 their absence fails the run.\n${line}\n`,
    )
  }
}
