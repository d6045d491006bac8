import type { Operation } from '../../../src/contract/operation.ts'
import { limits } from '../../../src/documents/llms.ts'
import type { PublishedSchema } from '../../../src/documents/published-schema.ts'
import { html, inline, type Markup } from '../frame/html.ts'
import type { Words } from './words/words.ts'

type Schema = PublishedSchema

/** Which operation shows a named shape in full; other places refer to it. */
export type Homes = ReadonlyMap<string, string>

/** A request body has its home at the first operation that takes it. */
export function homesOf(operations: readonly Operation[]): Homes {
  const homes = new Map<string, string>()
  for (const { id, request } of operations) {
    const name = (request as Schema | undefined)?.title as string | undefined
    if (name !== undefined && !homes.has(name)) homes.set(name, id)
  }
  return homes
}

export interface FieldContext {
  readonly words: Words
  readonly homes: Homes
  /** Of a request the required fields are marked, of a response the optional ones: what is the exception. */
  readonly isRequest: boolean
}

/** The fields of an object as a list, in the order in which they are checked. */
export function fieldList(schema: Schema, context: FieldContext): Markup {
  const { words, isRequest } = context
  const required = new Set((schema.required as string[] | undefined) ?? [])
  const fields = Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {})
  if (fields.length === 0) return html`<p>${words.page.noFields}</p>`
  return html`<ul class="fields">${fields.map(([name, field]) => {
    const isRequired = required.has(name)
    return html`<li><p><code class="name">${name}</code> <span class="type">${typeText(field, words)}</span> ${isRequired === isRequest && requiredMark(isRequired, words)}</p>${notes(field, words)}${children(name, field, context)}</li>`
  })}</ul>`
}

const requiredMark = (isRequired: boolean, { page }: Words) =>
  html`<span class="${isRequired ? 'required' : 'optional'}">${isRequired ? page.required : page.optional}</span>`

function notes(field: Schema, words: Words): Markup | false {
  const bounds = limitsOf(field, words)
  const text = descriptionOf(field, words)
  const code = field['x-error-code']
  if (!text && bounds.length === 0 && !code) return false
  return html`<p class="note">${text && inline(`${text} `)}${bounds.length > 0 && html`<span class="limits">${inline(bounds.join(' · '))}</span> `}${
    typeof code === 'string' &&
    html`<span class="otherwise">${words.page.otherwise} <a href="#${code}"><code>${code}</code></a></span>`
  }</p>`
}

/** Said of the field, or of one of the kinds of value that it may have. */
function descriptionOf(field: Schema, words: Words): string {
  const described = [field, ...((field.anyOf as Schema[] | undefined) ?? [])].find(({ description }) => description)
  return described ? words.sentence(described.description as string) : ''
}

/** The bounds of a list and of what is in it, or of each kind of value that a field may have. */
function limitsOf(field: Schema, words: Words): string[] {
  const choices = ((field.anyOf as Schema[] | undefined) ?? []).flatMap((choice) => limits(choice, words.limits))
  const own = limits({ ...field, uniqueItems: field.uniqueItems ?? field.uniqueItemRefs }, words.limits)
  const items = field.items as Schema | undefined
  return [...own, ...choices, ...(items && !items.properties ? limits(items, words.limits) : [])]
}

function children(name: string, field: Schema, context: FieldContext): Markup | false {
  const shape = objectIn(field)
  const variants = shape?.oneOf as Schema[] | undefined
  if (variants) return html`<ul class="variants">${variants.map((variant) => variantItem(variant, context))}</ul>`
  if (!shape?.properties) return false
  return html`<details><summary>${context.words.page.childFields(name)}</summary>${fieldList(shape, context)}</details>`
}

/** One variant of a union with a fixed tag; links to what is shown elsewhere. */
function variantItem(variant: Schema, context: FieldContext): Markup {
  const { words, homes } = context
  const [[tagName, tag], [name, rest]] = Object.entries(variant.properties as Record<string, Schema>) as [
    [string, Schema],
    [string, Schema],
  ]
  const home = homes.get(rest.title as string)
  return html`<li><p><code>${tagName}: ${JSON.stringify(tag.const)}</code></p>${
    home
      ? html`<p><code class="name">${name}</code> ${words.page.sameAs} <a href="#${home}"><code>${home}</code></a></p>`
      : html`<details><summary>${words.page.childFields(name)}</summary>${fieldList(rest, context)}</details>`
  }</li>`
}

function objectIn(field: Schema): Schema | undefined {
  const candidates = [field, field.items, ...((field.anyOf as Schema[] | undefined) ?? [])] as (Schema | undefined)[]
  return candidates.find((schema) => schema?.properties || schema?.oneOf)
}

export function typeText(schema: Schema, words: Words): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return (schema.enum as unknown[]).map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf as Schema[] | undefined
  if (choices) return [...new Set(choices.map((choice) => typeText(choice, words)))].join(` ${words.page.or} `)
  if (schema.type === 'array') return words.page.arrayOf(typeText(schema.items as Schema, words))
  return schema.type as string
}
