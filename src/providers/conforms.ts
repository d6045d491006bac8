import { lazyAjv, type ValidateFunction } from '../base/ajv.ts'
import { type Static, type TSchema, Type } from '../base/schema.ts'

export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string }

const ajv = lazyAjv({ strict: true, meta: false, validateSchema: false })

/** Checks a provider's response. The fault names the path and the rule, never the value: it goes to the log. */
export function conforms<S extends TSchema>(schema: S): (value: unknown) => Checked<Static<S>> {
  let accepts: ValidateFunction | undefined
  return (value) => {
    accepts ??= ajv.compile(schema)
    if (accepts(value)) return { ok: true, value: value as Static<S> }
    const [fault] = accepts.errors ?? []
    return { ok: false, fault: `${fault?.instancePath || '/'} ${fault?.message}` }
  }
}

/** Text that both engines can store: no NUL, no lone surrogate. */
export const Text = (options: { minLength?: number; maxLength: number }) =>
  Type.String({ ...options, pattern: '^[^\\u0000\\p{Cs}]*$' })

export const Count = () => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
