import { type Command, InvalidArgumentError, Option } from 'commander'
import { operatorParts } from '../app/operator-parts.ts'
import { type CommandCall, runOperation } from '../operator-kit/endpoint.ts'
import type { OperatorCommand, OperatorOperation } from '../operator-kit/operation.ts'
import type { OperatorPart } from '../ops/feature.ts'
import { actorOf, type CommandLine, contextOn, withActor } from './acting.ts'
import { CommandFailure, singleLine } from './terminal.ts'

/** The operator actions whose commands do more, or something else, than the contract says. */
export const ownCommands: Readonly<Record<string, string>> = {
  'operator.accounts.find': 'accounts find',
  'operator.find': 'find <text>',
  'operator.payment_comparisons.run': 'payments compare',
  'operator.reconcile.start': 'reconcile',
}

/** Those that the command line can do: all actions but for signing in, which belongs to a browser. */
export const isCommand = ({ method, tag }: OperatorOperation): boolean => method === 'POST' && tag !== 'Session'

type NamedCommand = OperatorCommand & Required<Pick<OperatorCommand, 'usage' | 'description'>>

/** `operator.providers.take_out` is `providers take-out <kind> <name>`. */
export function commandsOf(operation: OperatorOperation): NamedCommand[] {
  const names = Object.keys(operation.pathParameters ?? {}).map((name) => `<${name}>`)
  const usage = [...operation.id.replaceAll('_', '-').split('.').slice(1), ...names].join(' ')
  return (operation.commands ?? [{}]).map((command) => ({ usage, description: operation.summary, ...command }))
}

/** Adds the commands of the operator contract, or no more of them than the arguments can mean. */
export async function addOperatorCommands(program: Command, line: CommandLine, argv: readonly string[]): Promise<void> {
  const known = new Set<OperatorOperation>()
  for (const load of [operatorParts.get(argv[0] ?? ''), loadGateway]) {
    if (!load || isComplete(program, argv)) continue
    const part = await load(line)
    for (const operation of part.operations) {
      if (known.has(operation) || !isCommand(operation) || Object.hasOwn(ownCommands, operation.id)) continue
      known.add(operation)
      for (const command of commandsOf(operation)) addCommand(program, line, { part, operation, command })
    }
  }
}

const loadGateway = async () => (await import('../app/operator-handlers.ts')).wholeGateway

/** Whether the arguments name a command that needs no other command of its group. */
function isComplete(program: Command, [word, ...rest]: readonly string[]): boolean {
  const found = program.commands.find((command) => command.name() === word)
  return found !== undefined && (found.commands.length === 0 || isComplete(found, rest))
}

interface Added {
  readonly part: OperatorPart
  readonly operation: OperatorOperation
  readonly command: NamedCommand
}

function addCommand(program: Command, line: CommandLine, { part, operation, command }: Added): void {
  const [words = '', names = ''] = command.usage.split(/ (?=<)(.*)/)
  const path = words.split(' ')
  const group = path.slice(0, -1).reduce(groupIn, program)
  const added = group.command(`${path.at(-1)} ${names}`).description(command.description)
  const request = requestOf(operation, command, names.match(/\w+/g) ?? [])
  for (const option of request.options) added.addOption(option)
  withActor(added).action(async (...passed: unknown[]) => {
    const { by, json, ...options } = passed.at(-2) as { by?: string; json?: true }
    const actor = actorOf(by)
    const given = request.read(passed.slice(0, -2) as string[], options)
    const response = await run(line, part, operation, { actor, ...given })
    const shown = command.shows?.(response as never, { by: actor.name, ...given }) ?? response
    if (command.isFailure?.(shown as never)) line.terminal.finish(1)
    if (json) return line.terminal.printJson(shown)
    await line.terminal.print(`${command.says?.(shown as never) ?? factsIn(shown)}\n`)
  })
}

const run = (line: CommandLine, part: OperatorPart, operation: OperatorOperation, call: CommandCall) =>
  line.withStore(async (engine) => {
    const { operatorHandlers = [], close } = await part.build(contextOn(line, engine))
    try {
      const handler = operatorHandlers.find(({ id }) => id === operation.id)
      if (!handler) throw new CommandFailure(`only a running gateway can do this: ${operation.summary}`)
      return (await runOperation(operation, handler.handle, call)).body as object
    } finally {
      await close?.()
    }
  })

const factsIn = (shown: object) =>
  Object.entries(shown)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n')

const groupIn = (above: Command, word: string): Command =>
  above.commands.find((command) => command.name() === word) ??
  above.command(word).description(groups[word] ?? `actions on ${word}`)

/** The groups that have only commands of the contract. */
const groups: Readonly<Record<string, string>> = {
  credits: 'grant credits to a project, or take them back',
  keys: 'revoke API keys of payers',
}

interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly description?: string
  readonly maxLength?: number
}

interface RequestSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
}

/** Which options a command has in addition to its arguments, and how both become a request. */
function requestOf(operation: OperatorOperation, command: OperatorCommand, names: readonly string[]) {
  const { fixed = {}, defaults = {}, flags = '' } = command
  const { properties = {}, required = [] } = (operation.request ?? {}) as RequestSchema
  const inPath = Object.keys(operation.pathParameters ?? {})
  // An argument that is no field itself is one item of a list, such as chargeId of chargeIds.
  const fields = names.map((name) => (inPath.includes(name) || properties[name] ? name : `${name}s`))
  const isOption = (name: string) => !fields.includes(name) && !Object.hasOwn(fixed, name) && name !== flags
  const values = properties[flags]?.enum ?? []
  const optionFor = (name: string) =>
    optionOf(name, properties[name] ?? { type: 'string' })
      .default(defaults[name])
      .makeOptionMandatory((inPath.includes(name) || required.includes(name)) && defaults[name] === undefined)
  return {
    options: [
      ...[...inPath, ...Object.keys(properties)].filter(isOption).map(optionFor),
      ...values.map((value) => new Option(`--${value}`, value).conflicts(values.filter((other) => other !== value))),
    ],
    read(given: readonly string[], chosen: Readonly<Record<string, unknown>>) {
      const flag = values.find((value) => chosen[value])
      const rest = Object.fromEntries(Object.entries(chosen).filter(([name]) => !values.includes(name)))
      const options = flag === undefined ? rest : { ...rest, [flags]: flag }
      const named = fields.map((field, index) => [field, fieldValue(properties[field], given[index]!)])
      const all = Object.entries({ ...fixed, ...options, ...Object.fromEntries(named) })
      return {
        params: Object.fromEntries(all.filter(([name]) => inPath.includes(name))) as Record<string, string>,
        body: Object.fromEntries(all.filter(([name]) => !inPath.includes(name))),
      }
    },
  }
}

/** What is not of the type of its field stays text, which the check of the request refuses with the field's own code. */
function fieldValue(schema: FieldSchema | undefined, text: string): unknown {
  if (schema?.type === 'array') return [text]
  return isNumber(schema) && plainNumber.test(text) ? Number(text) : text
}

const plainNumber = /^-?\d{1,15}(\.\d+)?$/
const isNumber = (schema: FieldSchema | undefined) => schema?.type === 'integer' || schema?.type === 'number'

function optionOf(name: string, schema: FieldSchema): Option {
  const { type, enum: choices, description, maxLength } = schema
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (type === 'boolean') return new Option(flag, description)
  if (type === 'array') return new Option(`${flag} <values...>`, description)
  const option = new Option(`${flag} <${type === 'string' ? 'text' : 'value'}>`, description)
  if (choices) return option.choices(choices)
  if (isNumber(schema)) return option.argParser(numberIn)
  return maxLength && lines.includes(name) ? option.argParser(singleLine(`a ${name}`, maxLength)) : option
}

/** Fields of the audit log, which are a line each. */
const lines = ['reason', 'reference']

function numberIn(value: string): number {
  if (plainNumber.test(value)) return Number(value)
  throw new InvalidArgumentError('Enter a number.')
}
