import { type Command, InvalidArgumentError, Option } from 'commander'
import { runOperation } from '../operator-kit/endpoint.ts'
import type { OperatorOperation } from '../operator-kit/operation.ts'
import { type CommandLine, withActor } from './acting.ts'
import { CommandFailure, userName } from './terminal.ts'

/** The operator actions with a command of their own. Every other one gets its command from the contract. */
export const ownCommands: Readonly<Record<string, string>> = {
  'operator.accounts.find': 'accounts find',
  'operator.accounts.suspend': 'accounts suspend',
  'operator.accounts.reinstate': 'accounts reinstate',
  'operator.accounts.sign_out': 'accounts sign-out',
  'operator.accounts.recover': 'accounts recover',
  'operator.keys.revoke': 'keys revoke',
  'operator.credits.grant': 'credits grant',
  'operator.credits.withdraw': 'credits withdraw',
  'operator.approvals.approve': 'approvals approve',
  'operator.approvals.reject': 'approvals reject',
  'operator.reviews.decide': 'reviews settle',
  'operator.payments.refund': 'payments refund',
  'operator.refunds.decide': 'payments refund-done',
  'operator.payment_comparisons.run': 'payments compare',
  'operator.payment_comparisons.settle': 'payments settle',
  'operator.reconcile.start': 'reconcile',
  'operator.operators.add': 'operators add',
  'operator.operators.disable': 'operators disable',
  'operator.operators.reset': 'operators reset',
  'operator.operators.approve': 'operators approve',
  'operator.operators.reject': 'operators reject',
}

/** `operator.providers.take_out` is `providers take-out`. */
export const commandWords = ({ id }: Pick<OperatorOperation, 'id'>): string[] =>
  id.replaceAll('_', '-').split('.').slice(1)

/** Those that the command line can do: all actions but for signing in, which belongs to a browser. */
export const isCommand = ({ method, tag }: OperatorOperation): boolean => method === 'POST' && tag !== 'Session'

/** Adds a command for each action of the contract that has none of its own. */
export function addOperatorCommands(
  program: Command,
  line: CommandLine,
  operations: readonly OperatorOperation[],
): void {
  for (const operation of operations)
    if (isCommand(operation) && !Object.hasOwn(ownCommands, operation.id)) addOperation(program, line, operation)
}

function addOperation(program: Command, line: CommandLine, operation: OperatorOperation): void {
  const words = commandWords(operation)
  const group = words.slice(0, -1).reduce((above, word) => groupIn(above, word), program)
  const names = Object.keys(operation.pathParameters ?? {})
  const command = group
    .command([words.at(-1), ...names.map((name) => `<${name}>`)].join(' '))
    .description(operation.summary)
  const { properties = {}, required = [] } = (operation.request ?? {}) as RequestSchema
  for (const [name, schema] of Object.entries(properties))
    command.addOption(optionOf(name, schema).makeOptionMandatory(required.includes(name)))
  withActor(command).action(async (...passed: unknown[]) => {
    const params = Object.fromEntries(names.map((name, index) => [name, String(passed[index])]))
    const { by = userName(), json, ...body } = passed.at(-2) as { by?: string; json?: true }
    const actor = { name: by, via: 'command line' } as const
    const shown = await line.withStore(async (engine) => {
      const { withOperatorHandlers } = await import('../app/operator-handlers.ts')
      return withOperatorHandlers({ engine, config: line.config(), clock: line.clock }, async (handlers) => {
        const handler = handlers.find(({ id }) => id === operation.id)
        if (!handler) throw new CommandFailure(`only a running gateway can do this: ${operation.summary}`)
        return (await runOperation(operation, handler.handle, { actor, params, body })).body
      })
    })
    if (json) return line.terminal.printJson(shown)
    const facts = Object.entries(shown).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    await line.terminal.print(`${facts.join('\n')}\n`)
  })
}

const groupIn = (above: Command, word: string): Command =>
  above.commands.find((command) => command.name() === word) ?? above.command(word).description(`actions on ${word}`)

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
}

interface RequestSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
}

function optionOf(name: string, { type, enum: choices, description }: FieldSchema): Option {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (type === 'boolean') return new Option(flag, description)
  if (type === 'array') return new Option(`${flag} <values...>`, description)
  const option = new Option(`${flag} <${type === 'string' ? 'text' : 'value'}>`, description)
  if (choices) return option.choices(choices)
  return type === 'integer' || type === 'number' ? option.argParser(numberIn) : option
}

function numberIn(value: string): number {
  if (/^-?\d{1,15}(\.\d+)?$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Enter a number.')
}
