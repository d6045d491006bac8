import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/storage/open-store.ts'
import { migrations as shipped } from '../../src/storage/schema/migrations.ts'
import { startGateway } from '../../testkit/gateway/gateway.ts'
import { type RunOptions, runCommand as run } from '../../testkit/gateway/run-command.ts'
import { type Database, engines, freshStore, silent } from '../../testkit/store/engines.ts'
import { expandingStep, step } from '../../testkit/store/migration-steps.ts'
import { database, later } from '../ops/run-doctor.ts'

const base = shipped.at(-1)!.version
/** A step that the program needs, and one that it can serve without. */
const [before, last] = [step(base + 1, ['CREATE TABLE needed (a BIGINT NOT NULL)']), expandingStep(base + 2)]
const migrations = [...shipped, before, last]
const runCommand = (fresh: Database, argv: string[], options: RunOptions = {}) =>
  run(fresh, argv, { migrations, ...options })

/** A store as an earlier program wrote it: by default the one before. */
async function olderStore(engine: (typeof engines)[number], count = migrations.length - 1): Promise<Database> {
  const fresh = await database(engine)
  const options = { ...fresh, exclusive: true, clock: () => 1, logger: silent }
  await (await openStore({ ...options, migrations: migrations.slice(0, count) })).close()
  return fresh
}

const migrateJson = async (fresh: Database, ...argv: string[]) => {
  const ran = await runCommand(fresh, ['migrate', '--json', ...argv], { clock: () => Date.UTC(2026, 0, 2, 3, 4, 5) })
  return { exitCode: ran.exitCode, ...JSON.parse(ran.stdout) }
}

describe.each(engines)('migrate on %s', (engine) => {
  test('migrate says what it does, does it once, and nothing with --dry-run', async () => {
    const fresh = await olderStore(engine)
    const planned = await runCommand(fresh, ['migrate', '--dry-run'])
    expect(planned).toMatchObject({ exitCode: 0, stderr: '' })
    expect(planned.stdout).toContain(`The schema is at version ${before.version} (${before.name}). To do:\n`)
    expect(planned.stdout).toMatch(/Nothing was done\.\n$/)
    const ran = await runCommand(fresh, ['migrate'])
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toContain(`applied version ${last.version} (${last.name})\n`)
    expect(ran.stdout).toMatch(new RegExp(`The schema is now at version ${last.version} \\(${last.name}\\)\\.\\n$`))
    expect(await runCommand(fresh, ['migrate'])).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `The schema is at version ${last.version} (${last.name}).\nNothing to do.\n`,
    })
  })

  test('migrate sets up an empty store; other commands do not, and say so', async () => {
    const fresh = await database(engine)
    const refused = await runCommand(fresh, ['reconcile'])
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toMatch(/^[^\n]*start the gateway once[^\n]*\n$/)
    expect(await migrateJson(fresh)).toMatchObject({ exitCode: 0, from: null, isCurrent: true, backup: null })
    expect(await runCommand(fresh, ['reconcile'])).toMatchObject({ exitCode: 0 })
  })

  test('migrate is the only command that migrates: others use an older schema as it is, or name migrate', async () => {
    const fresh = await olderStore(engine)
    expect(await runCommand(fresh, ['reconcile'])).toMatchObject({ exitCode: 0 })
    expect(await migrateJson(fresh, '--dry-run')).toMatchObject({ due: [{ name: last.name }], applied: [] })
    const ancient = await olderStore(engine, shipped.length)
    const refused = await runCommand(ancient, ['reconcile'])
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' })
    expect(refused.stderr).toMatch(
      new RegExp(`^the schema is at version ${base} [^\\n]*run npm run gateway -- migrate\\n$`),
    )
    expect(await migrateJson(ancient)).toMatchObject({ exitCode: 0, isCurrent: true })
    expect(await runCommand(ancient, ['reconcile'])).toMatchObject({ exitCode: 0 })
  })
})

describe('the start of a gateway', () => {
  test('the start of a gateway on PostgreSQL serves an older schema that it can serve, says so and changes nothing', async () => {
    const fresh = await olderStore('postgres')
    const gateway = await startGateway({ database: fresh, migrations })
    later(() => gateway.stop())
    expect(gateway.log.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        ...{ level: 40, version: before.version, known: last.version },
        msg: 'the schema is older than this program; run migrate',
      }),
    )
    expect(await migrateJson(fresh, '--dry-run')).toMatchObject({ due: [{ name: last.name }] })
  })

  test('the start of a gateway on PostgreSQL refuses a schema that is too old, with one line that names migrate', async () => {
    const fresh = await olderStore('postgres', shipped.length)
    const start = startGateway({ database: fresh, migrations })
    await expect(start).rejects.toThrow(new RegExp(`^the schema is at version ${base} .*-- migrate$`))
  })

  test('the start of a gateway on SQLite migrates, and keeps a private copy of the store from before', async () => {
    const fresh = await olderStore('sqlite', shipped.length)
    const gateway = await startGateway({ database: fresh, migrations })
    const [copy] = (await readdir(fresh.dataDir)).filter((name) => name.startsWith(`gateway.sqlite.schema-${base}.`))
    await gateway.stop()
    const file = join(fresh.dataDir, copy!)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const options = { databaseUrl: `sqlite:${file}`, dataDir: fresh.dataDir, clock: () => 1, logger: silent }
    const former = await openStore({ ...options, exclusive: true, migrations: shipped })
    await former.close()
  })
})

test('migrate keeps a copy of an embedded store, and waits for its gateway to stop', async () => {
  const fresh = await olderStore('sqlite')
  const { backup } = await migrateJson(fresh)
  expect(backup).toBe(join(fresh.dataDir, `gateway.sqlite.schema-${before.version}.20260102T030405Z`))
  const gateway = await startGateway({ database: fresh, migrations })
  later(() => gateway.stop())
  const ran = await runCommand(fresh, ['migrate'])
  expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
  expect(ran.stderr).toMatch(/^[^\n]*is in use by another gateway[^\n]*\n$/)
})

test('migrate names the gateways that stand in its way, and exits with 1', async () => {
  const fresh = await freshStore('postgres')
  later(() => fresh.remove())
  await fresh.store.write((tx) =>
    tx.run(
      `INSERT INTO instances (instance_id, started_at, lease_until, process, known_version, needed_version)
      VALUES ('ins_old', 0, 9999999999999, 'host-a pid 7', ${base}, ${base})`,
    ),
  )
  const ran = await runCommand(fresh.database, ['migrate'])
  expect(ran.exitCode).toBe(1)
  expect(ran.stdout).toMatch(
    new RegExp(
      `\\nRefused: migration ${before.version} .*still running: ins_old \\(host-a pid 7, knows version ${base}\\)`,
    ),
  )
  expect(await migrateJson(fresh.database)).toMatchObject({
    ...{ exitCode: 1, applied: [], isCurrent: false },
    refused: { version: before.version, instances: [{ instanceId: 'ins_old', knownVersion: base }] },
  })
})
