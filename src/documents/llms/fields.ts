import type { PublishedSchema } from '../published-schema.ts'

/** The fields of an object as a list; objects without a name are opened up in place. */
export function fieldLines(schema: PublishedSchema, depth = 0): string[] {
  const required = new Set((schema.required as string[] | undefined) ?? [])
  return Object.entries((schema.properties as Record<string, PublishedSchema> | undefined) ?? {}).flatMap(
    ([name, field]) => [
      `${'  '.repeat(depth)}- \`${name}\` (${notes(field, required.has(name))})${tail(field)}`,
      ...fieldLines((field.items as PublishedSchema | undefined) ?? field, depth + 1),
    ],
  )
}

function notes(field: PublishedSchema, isRequired: boolean): string {
  return [typeText(field), isRequired ? 'required' : 'optional', ...limits(field)].join(', ')
}

const tail = ({ description }: PublishedSchema): string => (description ? `: ${description}` : '')

/** The type in words: a named shape by its name, fixed values as JSON. */
export function typeText(schema: PublishedSchema): string {
  if (schema.$ref) return nameOf(schema.$ref as string)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return (schema.enum as unknown[]).map((value) => JSON.stringify(value)).join(' | ')
  const choices = (schema.oneOf ?? schema.anyOf) as PublishedSchema[] | undefined
  if (choices) return choices.map((choice) => [typeText(choice), ...limits(choice)].join(' ')).join(' or ')
  if (schema.type === 'array') return `array of ${typeText(schema.items as PublishedSchema)}`
  return schema.type as string
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

function limits(schema: PublishedSchema): string[] {
  return [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, 'entries'),
    schema.multipleOf !== undefined && `multiple of ${schema.multipleOf}`,
    schema.uniqueItems === true && 'no repeats',
    schema.format !== undefined && `format ${schema.format}`,
    schema.pattern !== undefined && (schema.pattern === '\\S' ? 'not blank' : `pattern \`${schema.pattern}\``),
  ].filter((limit) => typeof limit === 'string')
}

function range(least: unknown, most: unknown, unit: string): string | false {
  if (least === undefined && most === undefined) return false
  const text = most === undefined ? `at least ${least}` : least === undefined ? `at most ${most}` : `${least}..${most}`
  return `${text} ${most === undefined && least === 1 ? unit.replace(/s$/, '') : unit}`.trim()
}
