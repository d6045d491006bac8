import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Static, type TSchema, Type } from 'typebox'

export type Conformity<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string }

const ajv = new Ajv2020({ strict: true, meta: false, validateSchema: false })

/** Checks an upstream's answer. The fault names the place and the rule, never what the upstream wrote there. */
export function conforms<S extends TSchema>(schema: S): (value: unknown) => Conformity<Static<S>> {
  let accepts: ReturnType<typeof ajv.compile> | undefined
  return (value) => {
    accepts ??= ajv.compile(schema)
    if (accepts(value)) return { ok: true, value: value as Static<S> }
    const [fault] = accepts.errors ?? []
    return { ok: false, fault: `${fault?.instancePath || '/'} ${fault?.message}` }
  }
}

/** Text that every store can hold: no NUL and no half of a surrogate pair. */
export const Text = (options: { minLength?: number; maxLength: number }) =>
  Type.String({ ...options, pattern: '^[^\\u0000\\p{Cs}]*$' })

/** A number that is exact here and in every store. */
export const Count = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
