import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startGatewayProcess } from '../../testkit/gateway/gateway-process.ts'
import { freePort } from '../../testkit/http/free-port.ts'
import { httpEngines, migratedDatabase, openDatabase } from '../../testkit/store/engines.ts'
import { createCustomer, createRig } from '../../testkit/store/rig.ts'

describe.each(httpEngines)('a store with accounts on %s', (engine) => {
  test.each([
    ['missing', null],
    ['damaged', 'half of it'],
  ])('the gateway refuses to start, with one line, when its secret is %s', async (fault, contents) => {
    const database = await migratedDatabase(engine)
    onTestFinished(() => database.remove())
    const store = await openDatabase(database)
    await createCustomer(createRig(store))
    await store.close()
    const file = join(database.dataDir, 'secret')
    if (contents !== null) await writeFile(file, contents)

    const port = await freePort()
    const start = startGatewayProcess({
      port,
      environment: {
        GATEWAY_ORIGIN: `http://127.0.0.1:${port}`,
        GATEWAY_DATA_DIR: database.dataDir,
        DATABASE_URL: database.databaseUrl,
      },
    })
    const { message } = await start.then(
      async (gateway) => {
        await gateway.kill()
        return new Error('the gateway started')
      },
      (error: Error) => error,
    )
    const line = `${file} is ${fault}, and the accounts in the store need it: restore it from a backup`
    expect(message).toBe(`the gateway did not start:\n${line}\n`)
    expect(existsSync(file)).toBe(contents !== null)
  })
})
