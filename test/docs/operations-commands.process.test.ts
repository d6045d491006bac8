import { readFileSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/config.ts'
import { defaultValues } from '../../testkit/deploy/helm/render-chart.ts'
import { inlineOnMachines, printedBlocks } from '../../testkit/deploy/machines/page-commands.ts'
import { programFolder, runInShell } from '../../testkit/docs/operator-shell.ts'
import { type Block, commandsOf, printedCommands } from '../../testkit/docs/printed-commands.ts'
import { Browser } from '../../testkit/gateway/browser.ts'
import { type Gateway, startGateway, testSecret } from '../../testkit/gateway/gateway.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { type Database, freshDatabase, migratedDatabase } from '../../testkit/store/engines.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const { blocks, inline } = printedCommands('docs/operations.md', 'docs/two-machines.md', 'docs/recovery.md')

/** Commands that no test runs, by the reason. */
const notRun: Readonly<Record<string, readonly string[]>> = {
  'need a Docker engine; a test below compares them with deploy/compose.yaml': [
    'docker compose build',
    'docker compose exec gateway-a node src/cli/cli.ts doctor',
    'docker compose logs backup',
    'docker compose rm --stop db-a',
    'docker compose run --rm migrate',
    'docker compose run --rm migrate node src/cli/cli.ts migrate --dry-run',
    'docker compose up --build --detach',
    'docker compose up --detach --no-build --no-deps --wait gateway-a',
    'docker compose up --detach --no-deps --wait gateway-a',
  ],
  'need a cluster; a test below compares them with the chart, which test/deploy/helm.process.test.ts renders': [
    'kubectl create secret generic gateway',
    'helm install gateway deploy/helm',
    'kubectl port-forward service/gateway-api-relay-gateway-operator 8788',
    'helm upgrade',
    'helm upgrade --reuse-values --set-string secretRevision=2',
    'helm rollback',
  ],
  'needs a store of another server; test/features/records/transparency/keepers.test.ts runs it': [
    'npm run gateway -- transparency resume --reason TEXT',
  ],
  'replace the packages that the tests run with; test/app/npm-start.process.test.ts runs what they start': [
    'npm ci && npm start',
    'npm start',
  ],
  'installs packages from the registry; test/deploy/dockerfile.process.test.ts runs the image without that': [
    'npm run check:image',
  ],
  'take minutes, and are run before the page states their figures': ['npm run bench:failover'],
  'only says how to copy a folder, which test/deploy/two-machines.process.test.ts does': ['scp -r'],
}

/** What this file ran, as the page prints it. */
const ran = new Set<string>()
const inText = (command: string): string => {
  if (!inline.includes(command)) throw new Error(`no page prints ${command}`)
  ran.add(command)
  return command
}
const blockWith = (part: string): string => {
  const { text } = blocks.find((block) => block.text.includes(part))!
  ran.add(text)
  return text
}

describe('the commands of the operations pages, run as they are printed', () => {
  let folder: string
  let database: Database
  let other: Database
  let gateway: Gateway
  let projectId: string

  beforeAll(async () => {
    folder = await programFolder()
    database = await migratedDatabase('sqlite')
    other = await freshDatabase('postgres')
    gateway = await startGateway({ database })
    const payer = new Browser(gateway)
    projectId = (await payer.register()).body.project.projectId
    await payer.recharge(10_000)
    const { apiKey } = await payer.createKey(['models:invoke'])
    expect(await gateway.call(apiKey, '/v1/models/chat', 'first', { prompt: 'hello' })).toMatchObject({ status: 200 })
  })
  afterAll(async () => {
    await gateway?.stop()
    for (const each of [database, other]) await each?.remove()
    await rm(folder, { recursive: true, force: true })
  })

  /** In the operator's shell, with the environment of the gateway. */
  const run = (text: string, { databaseUrl, dataDir } = database, listen = gateway.app.public.port) =>
    runInShell(text, folder, {
      ...{ DATABASE_URL: databaseUrl, GATEWAY_DATA_DIR: dataDir, GATEWAY_SECRET: testSecret },
      ...{ GATEWAY_LISTEN: `127.0.0.1:${listen}`, GATEWAY_OPERATOR_LISTEN: 'off' },
    })

  test('the commands of the operations pages, run as printed, work while a gateway runs', async () => {
    const [doctor] = await Promise.all([
      run(inText('npm run gateway -- doctor')),
      run(blockWith('-- backup ').replaceAll('/backups/', `${folder}/`)),
    ])
    expect(doctor).toMatch(/^ok /m)
  })

  test('the commands of the operations pages, run as printed, compare the logs with the store, and settle with the caller', async () => {
    await writeFile(join(folder, 'lines'), gateway.log.join(''))
    // They print a log as journald and Docker Compose do: plain, and with the container before each line.
    await standIn(folder, 'journalctl', 'exec cat lines')
    await standIn(folder, 'docker', "exec sed 's/^/gateway-a-1  | /' lines")
    await run(inText('journalctl --output=cat CONTAINER_TAG=gateway >gateway.log'))
    await run(blockWith('docker compose -f deploy/compose.yaml logs'))
    expect(await run(inText('npm run gateway -- restore-check --log gateway.log'))).toMatch(/charge/)

    const reasons = ['--reference', 'request id', '--reason', 'charged twice']
    for (const [command, ...rest] of [
      ['accounts find --id', projectId],
      ['credits grant', projectId, '5', ...reasons],
      ['credits withdraw', projectId, '5', ...reasons],
    ] as const) {
      const done = await runCommand(database, [...inText(command).split(' '), ...rest])
      expect(done).toMatchObject({ exitCode: 0, stderr: '' })
    }
  })

  test('the commands of the operations pages, run as printed, carry the store to PostgreSQL, where the gateway starts', async () => {
    await gateway.app.stop()
    const file = join(folder, 'export.jsonl')
    await run(inText('npm run gateway -- export FILE').replace('FILE', file))
    await run(inText('npm run gateway -- import FILE').replace('FILE', file), other)
    await run(
      startAndStop(inText('node_modules/.bin/node --max-semi-space-size=16 --heap-growing-percent=100 src/main.ts')),
      other,
      0,
    )
    // The doctor would find that the server of the tests does not sync; two-machines.test.ts runs it on one that does.
    const [planned] = await Promise.all([
      run(inText('npm run gateway -- migrate --dry-run'), other),
      run(inText('npm run gateway -- reconcile'), other),
    ])
    expect(planned).toMatch(/^The schema is at version /m)
    expect(await run(inText('npm run gateway -- migrate'), other)).toMatch(/Nothing to do\./)
  })
})

describe('the operations pages', () => {
  test('the operations pages give gateways a database with two hosts in a form that they read', async () => {
    const printed = await runInShell(`${blockWith('@db-a:5432,db-b:5432/')}echo "$DATABASE_URL"`, root)
    expect(loadConfig({ DATABASE_URL: printed.trim() }).databaseUrl).toContain('@db-a:5432,db-b:5432/')
  })

  test('the operations pages name services and files that deploy/compose.yaml has', () => {
    const { services } = parse(read('deploy/compose.yaml'), { merge: true })
    const commands = [...inline, ...blocks.flatMap(({ text }) => commandsOf(text))]
    const named = commands.flatMap((command) => {
      const [, verb, rest] = /^docker compose (?:-f deploy\/compose\.yaml )?(\w+)(.*)/.exec(command) ?? []
      const words = (rest ?? '').split(' ').filter((word) => /^[a-z]/.test(word))
      return verb === 'exec' || verb === 'run' ? words.slice(0, 1) : words
    })
    expect(new Set(named)).toEqual(new Set(['gateway-a', 'gateway-b', 'backup', 'db-a', 'migrate']))
    expect(Object.keys(services)).toEqual(expect.arrayContaining(named))
  })

  test('the operations pages set values that the chart has', () => {
    const install = blocks.find(({ text }) => text.includes('helm install'))!.text
    const names = [...install.matchAll(/--set '?([\w.]+)=/g)].map(([, name]) => name!)
    expect(names).toContain('image.repository')
    for (const name of names) expect(defaultValues).toHaveProperty(name)
  })

  test('the operations pages print no command that nothing runs', () => {
    const onMachines: readonly string[] = Object.values(inlineOnMachines)
    const restore = read('test/cli/point-in-time.process.test.ts')
    // The test of the machines fails if it leaves one out.
    const ofMachines = new Set([...printedBlocks('two-machines').values()].flat().map(({ text }) => text))
    const isRunElsewhere = ({ name, text }: Block) =>
      ofMachines.has(text) || (name !== undefined && restore.includes(`printed('${name}')`))
    const done = [...ran, ...onMachines, ...blocks.filter(isRunElsewhere).map(({ text }) => text)]
    const excused = Object.values(notRun).flat()
    const left = blocks.filter((block) => !isRunElsewhere(block) && !ran.has(block.text))
    const isExcused = (command: string) => excused.some((each) => command === each || command.startsWith(`${each} --`))

    expect(blocks.filter(({ fence }) => !/^sh\b/.test(fence))).toEqual([])
    expect(left.flatMap(({ text }) => commandsOf(text)).filter((command) => !isExcused(command))).toEqual([])
    const isRun = (command: string) => done.some((text) => text.includes(command))
    expect(inline.filter((command) => !isRun(command) && !excused.includes(command))).toEqual([])
    // Nor does it keep an excuse for a command that is gone.
    const all = [...inline, ...blocks.map(({ text }) => text)]
    const listed = [...excused, ...onMachines]
    expect(listed.filter((command) => !all.some((text) => text.includes(command)))).toEqual([])
  })
})

async function standIn(folder: string, name: string, script: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, 'bin', name), 0o755)
}

const startAndStop = (command: string) => `${command} >main.log 2>&1 &
until grep -q 'API Relay Gateway serves' main.log; do kill -0 $! || { cat main.log >&2; exit 1; }; sleep 0.1; done
kill $!
wait $!`
