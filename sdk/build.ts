import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { TSchema } from 'typebox'
import { billableOperations } from '../src/contract/prices.ts'
import { businessSchemas, Settled } from '../src/contract/schemas/business.ts'
import { createMediaJobRequest, MediaJob } from '../src/features/calls/media/contract.ts'
import { ChatCompletionChunk } from '../src/features/calls/openai/contract.ts'
import { WebhookEvent } from '../src/features/notifications/webhooks/contract.ts'
import { OwnCharge, OwnKey } from '../src/features/programs/key-api/contract.ts'

/** Any name of a provider: which there are is up to the operator. */
const anyNames = { models: [''], shops: [''], media: [''] }

/** Builds the sources as JavaScript with their types, and the types of the contract written out. */
export function build(dist = join(import.meta.dirname, 'dist')): void {
  // Inside the project, where the compiler finds the types of Node.
  const work = mkdtempSync(join(import.meta.dirname, 'dist-'))
  try {
    const sources = join(work, 'src')
    cpSync(join(import.meta.dirname, 'src'), sources, { recursive: true })
    writeFileSync(join(sources, 'contract.ts'), contractTypes())
    writeFileSync(join(work, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['src'] }))
    rmSync(dist, { recursive: true, force: true })
    mkdirSync(dist)
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
    execFileSync(process.execPath, [compiler, '-p', join(work, 'tsconfig.json'), '--outDir', dist], {
      stdio: 'inherit',
    })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const options = {
  ...JSON.parse(readFileSync(join(import.meta.dirname, 'tsconfig.json'), 'utf8')).compilerOptions,
  // What Node 20 has.
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  rootDir: 'src',
  // For `npm run check`: the gateway's build runs with every test.
  noUnusedLocals: false,
  noUnusedParameters: false,
  noEmit: false,
  declaration: true,
  rewriteRelativeImportExtensions: true,
}

/** What src/contract.ts takes from the gateway's sources, written out from the same schemas. */
function contractTypes(): string {
  const schemas = businessSchemas(anyNames as unknown as Parameters<typeof businessSchemas>[0])
  const byOperation = (shape: (operation: (typeof billableOperations)[number]) => TSchema) =>
    `{\n${billableOperations.map((operation) => `  ${JSON.stringify(operation)}: ${typeOf(shape(operation))}`).join('\n')}\n}`
  return `${[
    `export type Requests = ${byOperation((operation) => schemas[operation].request)}`,
    `export type Responses = ${byOperation((operation) => Settled(operation, schemas[operation]))}`,
    `export type ChatChunk = ${typeOf(ChatCompletionChunk)}`,
    `export type Key = ${typeOf(OwnKey)}`,
    `export type Charge = ${typeOf(OwnCharge)}`,
    `export type WebhookEvent = ${typeOf(WebhookEvent)}`,
    `export type MediaJob = ${typeOf(MediaJob)}`,
    `export type MediaRequest = ${typeOf(createMediaJobRequest(anyNames.media))}`,
  ].join('\n\n')}\n`
}

type JsonSchema = Readonly<Record<string, unknown>>

/** The TypeScript type of a schema of the contract. */
function typeOf(schema: TSchema | JsonSchema): string {
  const { const: value, enum: values, oneOf, anyOf, items, properties, type } = schema as JsonSchema
  if (value !== undefined) return JSON.stringify(value)
  if (values) {
    const known = (values as unknown[]).filter((one) => one !== '')
    return known.length > 0 ? known.map((one) => JSON.stringify(one)).join(' | ') : 'string'
  }
  const choices = (oneOf ?? anyOf) as JsonSchema[] | undefined
  if (choices) return `(${choices.map(typeOf).join(' | ')})`
  if (type === 'array') return `${typeOf(items as JsonSchema)}[]`.replace(/^([^({[]* \| .*)\[\]$/s, '($1)[]')
  if (type === 'object' && properties) {
    if (Object.keys(properties).length === 0) return 'Record<string, unknown>'
    const required = new Set((schema as { required?: string[] }).required)
    const fields = Object.entries(properties as Record<string, JsonSchema>).map(
      ([name, field]) =>
        `${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${typeOf(field)}${required.has(name) ? '' : ' | undefined'}`,
    )
    return `{ ${fields.join('; ')} }`
  }
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  throw new Error(`no type for ${JSON.stringify(schema)}`)
}

if (process.argv[1] === import.meta.filename) build()
