import type { Reporter } from 'vitest/node'
import { missingTools } from './installed-tools.ts'

/** Says at the end of a run which tests did not run because a program is missing: a green run must not hide it. */
export class ToolReporter implements Reporter {
  onTestRunEnd(): void {
    if (missingTools.length === 0) return
    process.stdout.write(
      `\n  Tests with these programs did not run, because they are not installed: ${missingTools.join(', ')}.\n  On Debian: apt-get install pgbouncer haproxy systemd prometheus postgresql golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev\n`,
    )
  }
}
