import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { addTotals, type Totals } from './totals.ts'

/** Runs seeds in processes of their own, one for each core. Core i of n takes the seeds from + i, from + i + n, and so on. */
export async function runOnCores(
  cores: number,
  { from, count, more }: { readonly from: number; readonly count: number; readonly more: readonly string[] },
  totals: Totals,
): Promise<number> {
  const children: ChildProcess[] = []
  const stop = () => {
    for (const child of children) child.kill('SIGTERM')
  }
  process.once('SIGTERM', stop)
  const exitCodes = Array.from({ length: cores }, async (_, index) => {
    const seeds = Number.isFinite(count) ? ['--seeds', String(Math.ceil((count - index) / cores))] : []
    const given = [...more, ...seeds, '--seed', String(from + index), '--every', String(cores), '--cores', '1']
    const child = fork(join(import.meta.dirname, 'run.ts'), given)
    children.push(child)
    child.on('message', (counted) => addTotals(totals, counted as Totals))
    const [exitCode] = (await once(child, 'close')) as [number | null]
    // The others need not go on after a violation.
    if (exitCode !== 0) stop()
    return exitCode ?? 1
  })
  const exitCode = Math.max(...(await Promise.all(exitCodes)))
  process.off('SIGTERM', stop)
  return exitCode
}
