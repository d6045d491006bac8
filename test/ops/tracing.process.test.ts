import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('without a collector nothing of the tracing library is loaded', async () => {
  const script = `
    await import('./src/app/app.ts')
    const { createRequire } = await import('node:module')
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    console.log(JSON.stringify(loaded.filter((file) => file.includes('/@opentelemetry/') && !file.includes('/api/'))))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: new URL('../../', import.meta.url),
  })
  expect(JSON.parse(stdout)).toEqual([])
})
