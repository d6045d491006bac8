import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorOperations } from '../../src/app/features.ts'
import { operatorParts } from '../../src/app/operator-parts.ts'
import { commandsOf, isCommand, ownCommands } from '../../src/cli/operator-commands.ts'
import { loadConfig } from '../../src/config/config.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { createBatchStore } from '../../src/storage/batch-store.ts'
import { Browser } from '../../testkit/gateway/browser.ts'
import { type Gateway, startGateway, testSecret } from '../../testkit/gateway/gateway.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { openDatabase, type Store } from '../../testkit/store/engines.ts'

const actions = operatorOperations.filter(isCommand)

describe('commands made from the operator contract', () => {
  let gateway: Gateway
  let store: Store
  beforeAll(async () => {
    gateway = await startGateway()
    store = await openDatabase(gateway.database, { exclusive: false })
  })
  afterAll(async () => {
    await store.close()
    await gateway.stop()
  })
  const environment = { GATEWAY_SECRET: testSecret }
  const run = (...argv: string[]) => runCommand(gateway.database, argv, { environment })

  test('every command of its own belongs to an action', () => {
    const ids = actions.map(({ id }) => id)
    expect(Object.keys(ownCommands).filter((id) => !ids.includes(id))).toEqual([])
  })

  const usages = actions.flatMap((operation) => {
    const own = ownCommands[operation.id]
    return own ? [own] : commandsOf(operation).map(({ usage }) => usage)
  })

  test.each(usages)('%s is a command of an action', async (usage) => {
    const [words = '', names = ''] = usage.split(/ (?=<)(.*)/)
    const { exitCode, stdout } = await run(...words.split(' '), '--help')
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`Usage: npm run gateway -- ${words} [options]${names && ` ${names}`}\n`)
  })

  test.each([...operatorParts])('every command of %s is carried out by its part of the gateway', async (word, load) => {
    const { operations, build } = await load({})
    const { operatorHandlers, close } = await build({
      engine: store,
      ledger: createLedger({ store: createBatchStore(store) }),
      config: loadConfig({ GATEWAY_DATA_DIR: gateway.database.dataDir }),
      clock: Date.now,
    })
    const handled = operatorHandlers!.map(({ id }) => id)
    const named = actions.filter((action) => commandsOf(action).some(({ usage }) => usage.startsWith(`${word} `)))
    expect(named).not.toEqual([])
    expect(operations).toEqual(expect.arrayContaining(named))
    expect(handled).toEqual(expect.arrayContaining(named.map(({ id }) => id)))
    await close?.()
  })

  test('a parameter of the path that is no argument is an option that must be given', async () => {
    const settle = ['payments', 'settle', 'dif_00000000000000000000', '--reason', 'r']
    const ran = await run(...settle, '--date', '2026-09-03')
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("'--method <text>' not specified") })
  })

  test('a command takes its arguments and options from path and request', async () => {
    const { stdout } = await run('providers', 'take-out', '--help')
    expect(stdout).toContain('providers take-out [options] <kind> <name>')
    expect(stdout).toContain('--reason <text>')
    expect(await run('providers', 'take-out', 'model', 'model_provider_a')).toMatchObject({ exitCode: 2 })
  })

  test('a command acts through the handler of its feature, and is audited', async () => {
    const given = ['providers', 'take-out', 'model', 'model_provider_a', '--reason', 'outage', '--by', 'ada', '--json']
    const ran = await run(...given)
    expect(JSON.parse(ran.stdout)).toMatchObject({ name: 'model_provider_a', state: 'out_of_service' })
    const { stdout } = await run('audit', 'list', '--json')
    const entry = {
      by: 'ada',
      via: 'command line',
      action: 'provider.take_out',
      object: 'model/model_provider_a',
      reason: 'outage',
    }
    expect(JSON.parse(stdout).items).toEqual([expect.objectContaining(entry)])
  })

  test('an action on something unknown is refused with its code', async () => {
    const ran = await run('providers', 'take-out', 'model', 'unknown', '--reason', 'outage', '--json')
    expect(ran).toMatchObject({ exitCode: 1 })
    expect(JSON.parse(ran.stdout).error.code).toBe('PROVIDER_NOT_FOUND')
  })

  test('a command says in a sentence what it did, without the secret if it needs none', async () => {
    const payer = new Browser(gateway)
    const { account, project } = (await payer.register()).body
    const { keyId, apiKey } = await payer.createKey(['models:invoke'])
    const because = ['--reason', 'r']
    const moved = [project.projectId, '5', '--reference', 'bank 7', ...because]
    for (const [argv, sentence] of [
      [['accounts', 'suspend', account.accountId, ...because], `${account.accountId} is suspended.`],
      [['accounts', 'reinstate', account.accountId, ...because], `${account.accountId} is active.`],
      [['accounts', 'sign-out', account.accountId, ...because], `${account.accountId} is signed out everywhere.`],
      [
        ['keys', 'revoke', keyId, ...because],
        `${keyId} of ${project.projectId} (${apiKey.slice(0, 12)}...${apiKey.slice(-4)}) is revoked.`,
      ],
      [
        ['credits', 'grant', ...moved],
        `5 credits were granted to ${project.projectId} (bank 7): 5 available, 0 reserved.`,
      ],
      [
        ['credits', 'withdraw', ...moved],
        `5 credits were withdrawn from ${project.projectId} (bank 7): 0 available, 0 reserved.`,
      ],
    ] as const)
      expect(await runCommand(gateway.database, [...argv])).toEqual({
        exitCode: 0,
        stdout: `${sentence}\n`,
        stderr: '',
      })
  })
})
