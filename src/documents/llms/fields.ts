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

export interface LimitWords {
  readonly characters: string
  readonly entries: string
  readonly atLeast: (count: unknown, unit: string) => string
  readonly atMost: (count: unknown, unit: string) => string
  readonly between: (least: unknown, most: unknown, unit: string) => string
  readonly multipleOf: (step: unknown) => string
  readonly noRepeats: string
  readonly format: (name: unknown) => string
  readonly notBlank: string
  readonly pattern: (text: unknown) => string
}

export const englishLimits: LimitWords = {
  characters: 'characters',
  entries: 'entries',
  atLeast: (count, unit) => `at least ${count} ${count === 1 ? unit.replace(/s$/, '') : unit}`.trim(),
  atMost: (count, unit) => `at most ${count} ${unit}`.trim(),
  between: (least, most, unit) => `${least}..${most} ${unit}`.trim(),
  multipleOf: (step) => `multiple of ${step}`,
  noRepeats: 'no repeats',
  format: (name) => `format ${name}`,
  notBlank: 'not blank',
  pattern: (text) => `pattern \`${text}\``,
}

/** What a value must keep to beyond its type, in words. */
export function limits(schema: PublishedSchema, words = englishLimits): string[] {
  const range = (least: unknown, most: unknown, unit: string) => {
    if (least === undefined) return most !== undefined && words.atMost(most, unit)
    return most === undefined ? words.atLeast(least, unit) : words.between(least, most, unit)
  }
  return [
    range(schema.minLength, schema.maxLength, words.characters),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, words.entries),
    schema.multipleOf !== undefined && words.multipleOf(schema.multipleOf),
    schema.uniqueItems === true && words.noRepeats,
    schema.format !== undefined && words.format(schema.format),
    schema.pattern !== undefined && (schema.pattern === '\\S' ? words.notBlank : words.pattern(schema.pattern)),
  ].filter((limit) => typeof limit === 'string')
}
