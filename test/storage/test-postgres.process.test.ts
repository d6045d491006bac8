import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

test('the test PostgreSQL does not hide a failed test', async () => {
  const server = new URL('../../testkit/store/postgres-server.ts', import.meta.url).href
  const script = `const { loadEmbeddedPostgres } = await import('${server}'); await loadEmbeddedPostgres(); process.exitCode = 3`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  expect(code).toBe(3)
})
