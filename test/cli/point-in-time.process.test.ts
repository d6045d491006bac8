import { chown, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { pasteableTime } from '../../src/ops/log.ts'
import { openShell, printedBlock, programFolder, runInShell } from '../../testkit/docs/operator-shell.ts'
import { commandsOf } from '../../testkit/docs/printed-commands.ts'
import { Browser } from '../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { freePort } from '../../testkit/http/free-port.ts'
import { tools } from '../../testkit/installed-tools.ts'
import { type Database, freshDatabase, isFullMatrix } from '../../testkit/store/engines.ts'
import { postgresPrograms, postgresUser } from '../../testkit/store/postgres-programs.ts'

const printed = (name: string) => printedBlock('docs/recovery.md', name)
const exampleTime = '2026-01-31T08:14:59.900+00:00'
/** What the operator sets for the site; the test sets the same. */
const siteNames = ['PGDATA', 'ARCHIVE', 'BACKUPS', 'start_server', 'stop_server']

const installed = tools.postgres ? (['installed'] as const) : []
/** The one that an operator would use, where it is installed. */
const kinds = isFullMatrix || installed.length === 0 ? (['embedded', ...installed] as const) : installed

describe.each(kinds)(
  'the restore to a point in time, as docs/recovery.md prints it, with the %s PostgreSQL',
  (kind) => {
    let folder: string
    let shell: ReturnType<typeof openShell>
    let database: Database
    let gateway: Gateway | undefined
    let apiKey: string
    /** Where the operator of the gateway stands. */
    let program: string
    let logFile: string

    const call = (key: string) => gateway!.call(apiKey, '/v1/models/chat', key, { prompt: key })

    /** The first block of the section, for a server of the test. */
    const site = (port: number) => {
      const server = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
      return `PGDATA=${folder}/data
ARCHIVE=${folder}/archive
BACKUPS=${folder}/backups
start_server() { pg_ctl -D "$PGDATA" -w -t 120 -l ${folder}/server.log -o "${server}" start > ${folder}/ctl.log; }
stop_server() { pg_ctl -D "$PGDATA" -w -t 120 -m fast stop; }
initdb --no-sync -A trust -U postgres --encoding=UTF8 --locale=C -D "$PGDATA"
start_server`
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'gateway-restore-'))
      const user = postgresUser()
      const programs = await postgresPrograms[kind](folder)
      if (user) await chown(folder, user.uid, user.gid)
      const port = await freePort()
      const environment = {
        PATH: [...programs, process.env.PATH].join(delimiter),
        ...{ PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: 'postgres', PGDATABASE: 'postgres', LC_ALL: 'C' },
      }
      shell = openShell({ environment, cwd: folder, user })
      await shell.run(site(port))
      database = { ...(await freshDatabase('sqlite')), databaseUrl: `postgres://postgres@127.0.0.1:${port}/postgres` }
      await shell.run(printed('archive'))
      gateway = await startGateway({ database })
      const payer = new Browser(gateway)
      await payer.register()
      await payer.recharge(10_000)
      apiKey = (await payer.createKey(['models:invoke'])).apiKey
      expect(await call('before the base backup')).toMatchObject({ status: 200 })
      await shell.run(printed('base backup'))
      // As that of a standby has it.
      await shell.run('touch "$(ls -d "$BACKUPS"/2*)/standby.signal"')
      expect(await call('after the base backup')).toMatchObject({ status: 200 })
      const lastKept = Date.now()
      await vi.waitUntil(() => Date.now() > lastKept + 5)
      expect(await call('to be undone')).toMatchObject({ status: 200 })
      await gateway.app.stop()
      // A checkpoint that was published after that moment has a test of its own: test/features/records/transparency/restore.test.ts.
      await rm(join(database.dataDir, 'transparency'), { recursive: true, force: true })
      program = await programFolder()
      logFile = join(program, 'gateway.log')
      await writeFile(logFile, gateway.log.join(''))
      // One that was never verified, and one that was not complete by then.
      await shell.run(`for other in 9000.part 9001; do
  cp -a "$(ls -d "$BACKUPS"/2*)" "$BACKUPS/$other"
  rm -r "$BACKUPS/$other/global"
done
touch "$BACKUPS/9001/backup_manifest"`)
      const choose = printed('choose')
      expect(choose).toContain(`'${exampleTime}'`)
      await shell.run(choose.replace(exampleTime, pasteableTime(lastKept)))
      expect(await shell.run(printed('restore'))).toMatch(/^\s*paused\b/m)
    })
    afterAll(async () => {
      await gateway?.stop()
      await shell?.run('stop_server || true')
      await shell?.close()
      await database?.remove()
      for (const each of [folder, program]) if (each) await rm(each, { recursive: true, force: true })
    })

    test('the restore asks the operator for nothing but the settings of the site', async () => {
      const named = [...printed('site').matchAll(/^(\w+)(?==|\(\))/gm)].map(([, name]) => name)
      expect(named).toEqual(siteNames)
      for (const name of ['archive', 'backups']) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o700)
    })

    test('a restored server can be checked while the server is paused and only reads', async () => {
      const environment = { DATABASE_URL: database.databaseUrl, GATEWAY_DATA_DIR: database.dataDir }
      const [check, reconcile, ...others] = commandsOf(printed('check'))
      expect(others).toEqual([])
      const checked = await runInShell(`${check} || test $? = 1`, program, environment)
      expect(checked).toContain('; 1 of these charges are missing')
      await runInShell(reconcile!, program, environment)
    })

    test('a restored server follows no other, even if the base backup is that of a standby', async () => {
      expect(await readdir(join(folder, 'data'))).not.toContain('standby.signal')
    })

    test('a restored server can be checked through any of its hosts', async () => {
      const databaseUrl = database.databaseUrl.replace(/\/postgres$/, ',127.0.0.1:9/postgres')
      const twoHosts = { ...database, databaseUrl }
      const checked = await runCommand(twoHosts, ['restore-check', '--json', '--log', logFile])
      expect(checked).toMatchObject({ exitCode: 1, stderr: '' })
      expect(JSON.parse(checked.stdout)).toMatchObject({ gapCount: 0, log: { calls: 3, lostCount: 1, fault: null } })
      expect(await runCommand(twoHosts, ['reconcile'])).toMatchObject({ exitCode: 0 })
    })

    test('the restore says how to go on if a gateway is started too early', async () => {
      await expect(startGateway({ database })).rejects.toThrow(
        /does not accept writes: it is paused.* restore-check and reconcile.* pg_wal_replay_resume\(\)$/,
      )
    })

    test('the restore ends in a server on a new timeline that has the calls until then, and that the gateway accepts', async () => {
      await shell.run(printed('finish'))
      // It goes on archiving.
      await shell.run('psql -c "SELECT pg_switch_wal()"')
      const archived = () => readdir(join(folder, 'archive'))
      await expect.poll(archived).toContainEqual(expect.stringMatching(/^00000002[0-9A-F]{16}$/))
      expect(await runCommand(database, ['reconcile'])).toMatchObject({ exitCode: 0 })
      gateway = await startGateway({ database })
      for (const key of ['before the base backup', 'after the base backup']) {
        expect((await call(key)).headers).toMatchObject({ 'idempotent-replayed': 'true' })
      }
      const again = await call('to be undone')
      expect(again.status).toBe(200)
      expect(again.headers).not.toHaveProperty('idempotent-replayed')
    })
  },
)
