import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import type { ErrorCode } from './errors.ts'

type Verdict = { ok: true } | { ok: false; code: ErrorCode }
export type Validate = (value: unknown) => Verdict

const options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  discriminator: true,
  verbose: true,
  // Without the schema of schemas, whose compilation is a good part of a start; a test holds the contract against it.
  meta: false,
  validateSchema: false,
} as const
const firstFault = withContractKeywords(new Ajv2020({ ...options, allErrors: false }))
const everyFault = withContractKeywords(new Ajv2020({ ...options, allErrors: true }))
const valid: Verdict = { ok: true }

/**
 * LockQueue a schema whose fields name their error codes into a check that answers with one of them.
 * The common case stops at the first pass; only a faulty request is looked at whole, to choose
 * the code that the contract's order demands: unknown fields first, then the fields as declared.
 */
export function compile(schema: TSchema): Validate {
  // Compiled at first use: making all of them would be half the time of a start.
  let accepts: ReturnType<typeof firstFault.compile> | undefined
  let explain: ReturnType<typeof everyFault.compile> | undefined
  return (value) => {
    accepts ??= firstFault.compile(schema)
    if (accepts(value)) return valid
    explain ??= everyFault.compile(schema)
    const short = abridge(schema as Annotated, value)
    explain(short)
    return { ok: false, code: chooseCode(schema, short, explain.errors ?? []) }
  }
}

/**
 * The value without what cannot change its code: entries past the limit of an array, unknown fields past the first.
 * Bounds the work of a refusal, which nobody pays for.
 */
function abridge(node: Annotated | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const entries = node?.maxItems === undefined ? value : value.slice(0, node.maxItems + 1)
    return entries.map((entry) => abridge(node?.items, entry))
  }
  const properties = variantOf(node, value as Record<string, unknown>)?.properties
  if (properties === undefined) return value
  const fields = value as Record<string, unknown>
  const known = Object.keys(properties).filter((name) => Object.hasOwn(fields, name))
  const unknown = firstKey(fields, (name) => !Object.hasOwn(properties, name))
  const kept = unknown === undefined ? known : [...known, unknown]
  return Object.fromEntries(kept.map((name) => [name, abridge(properties[name], fields[name])]))
}

function firstKey(fields: object, isWanted: (name: string) => boolean): string | undefined {
  for (const name in fields) if (isWanted(name)) return name
  return undefined
}

/** Of all faults the one that stands first: unknown fields of an object, then its fields as declared, inward. */
function chooseCode(schema: TSchema, value: unknown, faults: ErrorObject[]): ErrorCode {
  let first: { fault: ErrorObject; place: number[] } | undefined
  for (const fault of faults) {
    const place = placeOf(schema, value, fault)
    if (!first || isBefore(place, first.place)) first = { fault, place }
  }
  return first ? codeOf(schema, first.fault) : 'INVALID_JSON'
}

const unknownFields = -1

/** Where a fault stands: the declared position of each field on the way to it, the index of each entry. */
function placeOf(schema: TSchema, value: unknown, { instancePath, keyword, params, parentSchema }: ErrorObject) {
  const place: number[] = []
  let node: Annotated | undefined = schema as Annotated
  let at = value as Record<string, unknown> | undefined
  const path = instancePath.split('/').slice(1)
  if (keyword === 'required') path.push(params.missingProperty)
  for (const token of path) {
    const object: Annotated | undefined = variantOf(node, at)
    place.push(object?.properties ? Object.keys(object.properties).indexOf(token) : Number(token))
    node = object?.properties ? object.properties[token] : object?.items
    at = at?.[token] as typeof at
  }
  if (keyword === 'additionalProperties' && 'x-unknown-fields-code' in (parentSchema ?? {})) place.push(unknownFields)
  return place
}

/** The shape that an object with a tag claims to have. */
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

interface Annotated {
  'x-error-code'?: ErrorCode
  'x-unknown-fields-code'?: ErrorCode
  properties?: Record<string, Annotated>
  items?: Annotated
  maxItems?: number
  oneOf?: Annotated[]
  discriminator?: { propertyName: string }
}

/** The annotation nearest to the fault on the way down to it. */
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

function withContractKeywords(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv)
  for (const keyword of ['x-error-code', 'x-unknown-fields-code']) ajv.addKeyword({ keyword })
  ajv.addKeyword({
    keyword: 'uniqueItemRefs',
    type: 'array',
    validate: (_: unknown, refs: unknown[]) => areDistinct(refs),
  })
  return ajv
}

/** White space at the edges of a productId does not make another product. */
function areDistinct(refs: unknown[]): boolean {
  const seen = refs.map((ref) => {
    const { provider, productId } = (ref ?? {}) as { provider?: unknown; productId?: unknown }
    // Anything else is wrong by its type, and an object with a `toString` of its own has no text.
    const isRef = typeof provider === 'string' && typeof productId === 'string'
    return isRef ? `${provider} ${productId.trim()}` : Symbol()
  })
  return new Set(seen).size === seen.length
}
