import type { TSchema } from '../base/schema.ts'
import type { Operation, ResponseRow } from './operation.ts'

/** The hand-written example of a request, or a sample of its schema. */
export const requestExampleOf = ({
  request,
  requestExample,
}: Pick<Operation<string, string>, 'request' | 'requestExample'>) => requestExample ?? (request && sampleOf(request))

export const responseExampleOf = ({ schema, example }: Pick<ResponseRow, 'schema' | 'example'>) =>
  example ?? sampleOf(schema)

export const pathExampleOf = ({ pattern, example }: { readonly pattern: string; readonly example?: string }) =>
  example ?? textMatching({ pattern })

interface SampledSchema {
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly anyOf?: readonly SampledSchema[]
  readonly oneOf?: readonly SampledSchema[]
  readonly type?: string
  readonly properties?: Readonly<Record<string, SampledSchema>>
  readonly items?: SampledSchema
  readonly minItems?: number
  readonly minimum?: number
  readonly multipleOf?: number
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
}

/** A value that conforms to the schema: every field present, the first of every choice. A field can name a better one in `examples`. */
export function sampleOf(schema: TSchema): unknown {
  return sample(schema as SampledSchema)
}

function sample(schema: SampledSchema): unknown {
  const given = [schema.const, schema.examples?.[0], schema.default, schema.enum?.[0]].find(
    (value) => value !== undefined,
  )
  if (given !== undefined) return given
  const choice = (schema.oneOf ?? schema.anyOf)?.[0]
  if (choice) return sample(choice)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sample(field)]))
    case 'array':
      return Array.from({ length: schema.minItems || 1 }, () => sample(schema.items!))
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, schema.multipleOf ?? 1)
    case 'boolean':
      return false
    case 'string':
      return textOf(schema)
    default:
      return null
  }
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-09-03T08:10:00.000Z',
  date: '2026-09-03',
  uri: 'https://example.com/text',
  email: 'li@example.com',
  binary: '',
}

function textOf(schema: SampledSchema): string {
  const formatted = formats[schema.format ?? '']
  if (formatted !== undefined) return formatted
  if (schema.pattern !== undefined) return textMatching({ ...schema, pattern: schema.pattern })
  return 'text'.repeat(Math.ceil((schema.minLength ?? 1) / 4)).slice(0, schema.maxLength)
}

function textMatching({
  pattern,
  maxLength = 100,
}: Pick<SampledSchema, 'maxLength'> & { readonly pattern: string }): string {
  const expression = new RegExp(pattern, 'u')
  const fits = (text: string) => text.length <= maxLength && expression.test(text)
  const found = ['text', 'TEXT', '/text'].find(fits) ?? generated(pattern)
  if (!fits(found)) throw new Error(`no sample matches ${pattern}: give its field \`examples\``)
  return found
}

/** What an open-ended part of a pattern repeats, so that IDs look like IDs. */
const alphabet = '01JQ8ZK4T7N2abcdef+/'

/** The first alternative of each group. Only what patterns of contracts use: classes, groups, escapes and counts. */
function generated(pattern: string): string {
  const token = /\^|\$|\((?<group>[^()]*)\)|(?<part>\[[^\]]+\]|\\?.)(?:\{(?<count>\d+)(?:,\d*)?\}|(?<many>[+*?]))?/gu
  return [...pattern.matchAll(token)]
    .map(({ groups: { group, part, count, many } = {} }) => {
      if (group !== undefined) return generated(group.split('|')[0]!)
      if (part === undefined || many === '*' || many === '?') return ''
      const fitting = [...alphabet].filter((character) => new RegExp(`^${part}$`, 'u').test(character)).join('')
      const characters = fitting || part.replace('\\', '')
      const length = count !== undefined ? Number(count) : many === '+' && fitting.length > 1 ? 12 : 1
      return characters.repeat(length).slice(0, length)
    })
    .join('')
}
