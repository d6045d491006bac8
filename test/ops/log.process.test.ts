import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const lines = 5000

/** Logs over many turns of the event loop, and exits in the middle of one. */
const program = (file: string) => `
  import { openLog } from ${JSON.stringify(new URL('../../src/ops/log.ts', import.meta.url).href)}
  const { logger } = openLog({ level: 'info', file: ${JSON.stringify(file)} })
  for (let line = 0; line < ${lines}; line += 1) {
    if (line % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
    logger.info({ line }, 'request')
  }
  process.exit()`

test('a process that exits loses no log line, and all are in order except one block that was being written', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-log-'))
  const file = join(directory, 'gateway.log')
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program(file)])
    const text = await readFile(file, 'utf8')
    const rows = text.trimEnd().split('\n')
    const seen = rows.map((row) => (JSON.parse(row) as { line: number }).line)
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: lines }, (_, line) => line))
    // An asynchronous write ends with the process: the last lines are written synchronously and may come first.
    expect(seen.filter((line, place) => line < seen[place - 1]!).length).toBeLessThanOrEqual(1)
  } finally {
    await rm(directory, { recursive: true })
  }
})
