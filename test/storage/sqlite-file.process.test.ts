import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { StoreUnusable } from '../../src/storage/engine.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite-engine.ts'
import { silent } from '../../testkit/store/engines.ts'

test('a killed gateway frees the file at once, and leaves exactly what it committed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-sqlite-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'test.sqlite')
  const open = () => openSqlite({ file, exclusive: true, logger: silent, busyTimeoutMs: 100 })
  const created = await open()
  await created.write((tx) =>
    tx.run('CREATE TABLE counters (name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT'),
  )
  await created.close()
  const script = fileURLToPath(new URL('../../testkit/store/hold-sqlite.ts', import.meta.url))
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout!, 'data')
  await expect(open()).rejects.toBeInstanceOf(StoreUnusable)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  const engine = await open()
  expect(await engine.read((tx) => tx.all('SELECT name FROM counters ORDER BY name'))).toEqual([{ name: 'kept' }])
  await engine.close()
})
