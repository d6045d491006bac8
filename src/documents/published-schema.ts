import type { TSchema } from '../base/schema.ts'

export type PublishedSchema = Record<string, unknown>

export interface Publisher {
  /** The schema as the documents show it: a named shape becomes a reference. */
  readonly publish: (schema: TSchema) => PublishedSchema
  /** The named shapes met so far, by name. */
  readonly components: Record<string, PublishedSchema>
}

const referenceTo = (title: string) => `#/components/schemas/${title}`

/** Turns the schemas that requests are checked with into those of the documents. There is no second list. */
export function createPublisher(): Publisher {
  const components: Record<string, PublishedSchema> = {}

  function publish(schema: PublishedSchema): PublishedSchema {
    const { title, 'x-error-code': code, ...shape } = schema
    if (typeof title !== 'string') return { ...inline(schema), ...withCode(code, schema.description) }
    const component = { title, ...inline(shape) }
    const known = components[title]
    if (known && JSON.stringify(known) !== JSON.stringify(component)) throw new Error(`Two shapes are named ${title}`)
    components[title] = component
    // The code belongs to the place where the shape is used, not to the shape.
    return { $ref: referenceTo(title), ...withCode(code) }
  }

  function inline(schema: PublishedSchema): PublishedSchema {
    const kept = Object.entries(standardOf(schema)).map(([keyword, value]) => keep(keyword, value, schema))
    const published = Object.fromEntries(kept)
    const { const: value } = published
    return withPlainChoices(Number.isInteger(value) ? { ...published, type: 'integer' } : published)
  }

  function keep(keyword: string, value: unknown, schema: PublishedSchema): [string, unknown] {
    switch (keyword) {
      case 'properties':
      case 'dependentSchemas':
        return [keyword, mapValues(value as Record<string, PublishedSchema>, publish)]
      case 'items':
      case 'not':
        return [keyword, publish(value as PublishedSchema)]
      // Any name: generators of clients know it as the type of the other fields.
      case 'patternProperties':
        return ['additionalProperties', publish(Object.values(value as Record<string, PublishedSchema>)[0]!)]
      case 'oneOf':
      case 'anyOf':
        return [keyword, (value as PublishedSchema[]).map(publish)]
      case 'discriminator':
        return [keyword, withMapping(value as { propertyName: string }, schema.oneOf as Variant[])]
      // Our own keyword also sees through white space; to a reader it means what the standard one says.
      case 'uniqueItemRefs':
        return ['uniqueItems', value]
      // Fields of which exactly these go together.
      case 'alternatives':
        return ['oneOf', (value as string[][]).map((required) => ({ required }))]
      default:
        return [keyword, value]
    }
  }

  return { publish: publish as Publisher['publish'], components }
}

/** No pattern that all languages read can say that a text has no half of a surrogate pair. */
const standardOf = ({ wellFormed: _, ...standard }: PublishedSchema): PublishedSchema => standard

/** Without choices that say nothing: the same one again, or any value at all. */
function withPlainChoices(schema: PublishedSchema): PublishedSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const choices: PublishedSchema[] = [...new Map(anyOf.map((choice) => [JSON.stringify(choice), choice])).values()]
  if (choices.some((choice) => Object.keys(choice).length === 0)) return rest
  return choices.length === 1 ? { ...choices[0], ...rest } : { ...schema, anyOf: choices }
}

/** The code as an extension for programs and in the description for people. */
function withCode(code: unknown, description?: unknown) {
  if (code === undefined) return {}
  return { description: [description, `Else \`${code}\`.`].filter(Boolean).join(' '), 'x-error-code': code }
}

interface Variant {
  title: string
  properties: Record<string, { const: string }>
}

function withMapping({ propertyName }: { propertyName: string }, variants: Variant[]) {
  const mapping = variants.map(({ title, properties }) => [properties[propertyName]!.const, referenceTo(title)])
  return { propertyName, mapping: Object.fromEntries(mapping) }
}

const mapValues = <V, W>(record: Record<string, V>, map: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
