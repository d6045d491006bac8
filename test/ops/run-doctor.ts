import { afterEach, expect } from 'vitest'
import type { Finding } from '../../src/ops/doctor/finding.ts'
import { type RunOptions, runCommand } from '../../testkit/gateway/run-command.ts'
import { type Database, type EngineName, freshDatabase } from '../../testkit/store/engines.ts'

const undo: (() => Promise<unknown>)[] = []

/** Clean-up at the end of a test, last started first. */
export const later = (step: () => Promise<unknown>): void => void undo.push(step)

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

export async function database(engine: EngineName = 'sqlite'): Promise<Database> {
  const fresh = await freshDatabase(engine)
  later(() => fresh.remove())
  return fresh
}

/** Runs the doctor and reads what it found. */
export async function examine(onDatabase: Database, options: RunOptions = {}) {
  const ran = await runCommand(onDatabase, ['doctor', '--json'], options)
  const { isHealthy, findings } = JSON.parse(ran.stdout) as { isHealthy: boolean; findings: Finding[] }
  expect(ran.stderr).toBe('')
  expect(ran.exitCode).toBe(isHealthy ? 0 : 1)
  expect(isHealthy).toBe(findings.every(({ level }) => level !== 'failure'))
  for (const { level, remedy } of findings) expect(remedy === null).toBe(level === 'ok')
  const of = (check: string) =>
    findings.filter((finding) => finding.check === check).map(({ level, what }) => `${level}: ${what}`)
  return { findings, of }
}
