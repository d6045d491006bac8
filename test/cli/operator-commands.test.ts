import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operatorOperations } from '../../src/app/features.ts'
import { commandWords, isCommand, ownCommands } from '../../src/cli/operator-commands.ts'
import { type Gateway, startGateway, testSecret } from '../../testkit/gateway/gateway.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'

const actions = operatorOperations.filter(isCommand)

describe('commands made from the operator contract', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.stop())
  const environment = { GATEWAY_SECRET: testSecret }
  const run = (...argv: string[]) => runCommand(gateway.database, argv, { environment })

  test('every command of its own belongs to an action', () => {
    const ids = actions.map(({ id }) => id)
    expect(Object.keys(ownCommands).filter((id) => !ids.includes(id))).toEqual([])
  })

  test.each(actions)('$id has a command', async (operation) => {
    const words = ownCommands[operation.id]?.split(' ') ?? commandWords(operation)
    const { exitCode, stdout } = await run(...words, '--help')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Usage: npm run gateway -- ${words.join(' ')} `))
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
})
