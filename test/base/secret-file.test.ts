import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { loadOrCreateSecret } from '../../src/base/secret-file.ts'

describe('a secret that the gateway creates', () => {
  let dataDir: string
  let file: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gateway-secret-'))
    file = join(dataDir, 'secret')
    return () => rm(dataDir, { recursive: true })
  })
  const make = (hasAccounts = false) => loadOrCreateSecret({ dataDir, hasAccounts: async () => hasAccounts })

  test.each(['', 'half of it', '\0'.repeat(43)])(
    'a secret that the gateway creates is never replaced once it is damaged: %j',
    async (contents) => {
      await writeFile(file, contents)
      const need = `${file} is damaged, and the accounts in the store need it: restore it from a backup`
      await expect(make(true)).rejects.toThrow(need)
      await expect(make(false)).rejects.toThrow(`${file} is damaged: restore it from a backup, or remove it`)
      expect(await readFile(file, 'utf8')).toBe(contents)
    },
  )

  test('a secret that the gateway creates is synced to disk before it gets its name, and its name before it is used', async () => {
    const handle = await open(dataDir)
    const synced: boolean[] = []
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'sync').mockImplementation(async () => {
      synced.push(existsSync(file))
    })
    onTestFinished(() => sync.mockRestore())
    await handle.close()
    const secret = await make()
    expect(synced).toEqual([false, true])
    expect(await readFile(file, 'utf8')).toBe(secret)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['secret'])
  })

  test('a secret that the gateway creates is the same for all gateways that start at once, and later', async () => {
    const secrets = new Set(await Promise.all(Array.from({ length: 20 }, () => make())))
    expect(secrets.size).toBe(1)
    expect(secrets).toContain(await make(true))
  })
})
