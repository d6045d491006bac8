import { type Ajv2020, addFormats, type ErrorObject, lazyAjv, type ValidateFunction } from '../base/ajv.ts'
import type { TSchema } from '../base/schema.ts'
import type { ErrorCode } from './errors.ts'

/** A message replaces that of the code. */
type Validation<Code extends string> = { ok: true } | { ok: false; code: Code; message?: string }
export type Validate<Code extends string = ErrorCode> = (value: unknown) => Validation<Code>

const options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  discriminator: true,
  verbose: true,
  // Compiling the meta-schema would slow down the start; a test checks our schemas against it.
  meta: false,
  validateSchema: false,
} as const
const firstFault = lazyAjv({ ...options, allErrors: false }, addContractKeywords)
const everyFault = lazyAjv({ ...options, allErrors: true }, addContractKeywords)
const valid = { ok: true } as const

/**
 * Compiles a schema whose fields carry error codes into a check that returns one of them. Valid requests need one pass; an
 * invalid one is checked again for all its faults, to pick the code by the contract's order: unknown fields first, then the
 * fields as declared.
 */
export function compile<Code extends string = ErrorCode>(
  schema: TSchema,
  { acceptsNul = false }: { readonly acceptsNul?: boolean } = {},
): Validate<Code> {
  const known = checks[acceptsNul ? 'acceptingNul' : 'refusingNul']
  if (!known.has(schema)) known.set(schema, createCheck(schema, acceptsNul))
  return known.get(schema) as Validate<Code>
}

/** By schema, because every gateway of a process asks for the same ones, and compiling takes longest at its start. */
const checks = {
  acceptingNul: new WeakMap<TSchema, Validate<string>>(),
  refusingNul: new WeakMap<TSchema, Validate<string>>(),
}

function createCheck(schema: TSchema, acceptsNul: boolean): Validate<string> {
  // Compiled at first use: compiling all of them would take half the start-up time.
  const checked = acceptsNul ? schema : refusingNul(schema as Annotated)
  let accepts: ValidateFunction | undefined
  let explain: ValidateFunction | undefined
  return (value) => {
    accepts ??= firstFault.compile(checked)
    if (accepts(value)) return valid
    explain ??= everyFault.compile(checked)
    const shortened = shorten(schema as Annotated, value)
    explain(shortened)
    const faults = explain.errors ?? []
    const fault = firstOf(schema, shortened, faults)
    if (!fault) return { ok: false, code: 'INVALID_JSON' }
    return { ok: false, code: codeOf(schema, fault), ...(isForNul(fault, faults) && { message: nulRefused }) }
  }
}

/**
 * Bounds the work of refusing a request, which is free for the caller: drops what cannot change the code, such as array entries
 * beyond the limit and all unknown fields but the first.
 */
function shorten(node: Annotated | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const entries = node?.maxItems === undefined ? value : value.slice(0, node.maxItems + 1)
    return entries.map((entry) => shorten(node?.items, entry))
  }
  const properties = variantOf(node, value as Record<string, unknown>)?.properties
  if (properties === undefined) return value
  const fields = value as Record<string, unknown>
  const known = Object.keys(properties).filter((name) => Object.hasOwn(fields, name))
  const unknown = firstKey(fields, (name) => !Object.hasOwn(properties, name))
  const kept = unknown === undefined ? known : [...known, unknown]
  return Object.fromEntries(kept.map((name) => [name, shorten(properties[name], fields[name])]))
}

function firstKey(fields: object, isWanted: (name: string) => boolean): string | undefined {
  for (const name in fields) if (isWanted(name)) return name
  return undefined
}

/** The first fault: unknown fields of an object come first, then its fields as declared, from the outside in. */
function firstOf(schema: TSchema, value: unknown, faults: ErrorObject[]): ErrorObject | undefined {
  let first: { fault: ErrorObject; position: number[] } | undefined
  for (const fault of faults) {
    const position = positionOf(schema, value, fault)
    if (!first || isBefore(position, first.position)) first = { fault, position }
  }
  return first?.fault
}

/** Whether the value at fault is a text with U+0000, or one of several kinds of value, of which a list has such a text. */
function isForNul({ instancePath: at }: ErrorObject, faults: ErrorObject[]): boolean {
  const hasKinds = faults.some(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === at)
  return faults.some(
    ({ keyword, instancePath }) =>
      keyword === 'noNul' && (instancePath === at || (hasKinds && instancePath.startsWith(`${at}/`))),
  )
}

const unknownFields = -1

/** The position of a fault as a path: the declared position of each field, the index of each entry. */
function positionOf(schema: TSchema, value: unknown, { instancePath, keyword, params, parentSchema }: ErrorObject) {
  const position: number[] = []
  let node: Annotated | undefined = schema as Annotated
  let at = value as Record<string, unknown> | undefined
  const path = instancePath.split('/').slice(1)
  if (keyword === 'required') path.push(params.missingProperty)
  for (const token of path) {
    const object: Annotated | undefined = variantOf(node, at)
    position.push(object?.properties ? Object.keys(object.properties).indexOf(token) : Number(token))
    node = object?.properties ? object.properties[token] : object?.items
    at = at?.[token] as typeof at
  }
  if (keyword === 'additionalProperties' && 'x-unknown-fields-code' in (parentSchema ?? {}))
    position.push(unknownFields)
  return position
}

/** The variant that the discriminator of an object selects. */
function variantOf(node: Annotated | undefined, value: Record<string, unknown> | undefined): Annotated | undefined {
  const tag = node?.discriminator?.propertyName
  return tag === undefined
    ? node
    : node?.oneOf?.find((variant) => (variant.properties?.[tag] as { const?: unknown })?.const === value?.[tag])
}

function isBefore(a: number[], b: number[]): boolean {
  const differs = a.findIndex((step, depth) => step !== b[depth])
  return differs === -1 ? a.length < b.length : differs < b.length && a[differs]! < b[differs]!
}

/** The same for every text: the rule of its field says nothing about U+0000. */
const nulRefused = 'A text contains U+0000, which is not accepted here.'

/** Adds `noNul` to every text: not every store can keep U+0000, and no caller needs it. */
function refusingNul(node: Annotated): Annotated {
  const { properties, items, oneOf, anyOf } = node
  return {
    ...node,
    ...(node.type === 'string' && { noNul: true }),
    ...(properties && { properties: mapValues(properties, refusingNul) }),
    ...(items && { items: refusingNul(items) }),
    ...(oneOf && { oneOf: oneOf.map(refusingNul) }),
    ...(anyOf && { anyOf: anyOf.map(refusingNul) }),
  }
}

const mapValues = <V, W>(record: Record<string, V>, map: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

interface Annotated {
  type?: string
  'x-error-code'?: ErrorCode
  'x-unknown-fields-code'?: ErrorCode
  properties?: Record<string, Annotated>
  items?: Annotated
  maxItems?: number
  oneOf?: Annotated[]
  anyOf?: Annotated[]
  discriminator?: { propertyName: string }
}

/** The innermost annotation on the path to the fault. */
function codeOf(schema: TSchema, fault: ErrorObject): ErrorCode {
  const parent = fault.parentSchema as Annotated
  const own = ownCode(parent, fault)
  if (own) return own
  let nearest: ErrorCode = 'INVALID_JSON'
  let node: unknown = schema
  for (const token of fault.schemaPath.split('/').slice(1)) {
    nearest = (node as Annotated)['x-error-code'] ?? nearest
    node = (node as Record<string, unknown>)[decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~')]
    if (node === undefined || node === null) break
  }
  return nearest
}

function ownCode(parent: Annotated, { keyword, params }: ErrorObject): ErrorCode | undefined {
  if (keyword === 'additionalProperties') return parent['x-unknown-fields-code']
  if (keyword === 'required')
    return parent.properties?.[params.missingProperty]?.['x-error-code'] ?? tagCode(parent, params.missingProperty)
  if (keyword === 'discriminator') return tagCode(parent, params.tag)
  return undefined
}

const tagCode = (parent: Annotated, tag: string) => parent.oneOf?.[0]?.properties?.[tag]?.['x-error-code']

function addContractKeywords(ajv: Ajv2020): void {
  addFormats(ajv)
  // The handler of the operation refuses wrong combinations of fields, in words of its own.
  for (const keyword of ['x-error-code', 'x-unknown-fields-code', 'alternatives']) ajv.addKeyword({ keyword })
  ajv.addKeyword({ keyword: 'noNul', type: 'string', validate: (_: unknown, text: string) => !text.includes('\0') })
  ajv.addKeyword({ keyword: 'wellFormed', type: 'string', validate: (_: unknown, text: string) => text.isWellFormed() })
  ajv.addKeyword({
    keyword: 'uniqueItemRefs',
    type: 'array',
    validate: (_: unknown, refs: unknown[]) => areDistinct(refs),
  })
}

/** Compares trimmed productIds. */
function areDistinct(refs: unknown[]): boolean {
  const seen = refs.map((ref) => {
    const { provider, productId } = (ref ?? {}) as { provider?: unknown; productId?: unknown }
    // Anything else fails its type check. Not stringified, because `toString` may be a field of the request.
    const isRef = typeof provider === 'string' && typeof productId === 'string'
    return isRef ? `${provider} ${productId.trim()}` : Symbol()
  })
  return new Set(seen).size === seen.length
}

/** Above any request or response of the contract but those with JSON of the caller. What comes later may then walk a value recursively. */
export const maxJsonDepth = 32

const [quote, backslash] = [34, 92]
const [openArray, openObject, closeArray, closeObject] = [91, 123, 93, 125]

export const tooDeep = (maxDepth: number) => `The body is nested more than ${maxDepth} deep.`

/** Whether JSON text is nested deeper than the limit. Reads the bytes, so that nothing deep is ever built. */
export function isTooDeep(json: Uint8Array, maxDepth = maxJsonDepth): boolean {
  // Every level takes two bytes.
  if (json.length <= 2 * maxDepth) return false
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (isText) {
      if (byte === backslash) at += 1
      else if (byte === quote) isText = false
    } else if (byte === quote) {
      isText = true
    } else if (byte === openArray || byte === openObject) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (byte === closeArray || byte === closeObject) {
      depth -= 1
    }
  }
  return false
}

/** Whether a text has more code points than this. The length in code units is an upper bound, so most texts need no counting. */
export const isLongerThan = (text: string, maxCodePoints: number): boolean =>
  text.length > maxCodePoints && Array.from(text).length > maxCodePoints
