import { createRequire } from 'node:module'

import type { Ajv2020, AnySchema, Options, ValidateFunction } from 'ajv/dist/2020.js'

export type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'

export interface LazyAjv {
  readonly compile: (schema: AnySchema) => ValidateFunction
}

const require = createRequire(import.meta.url)

/** Created when the first schema is compiled: a start or command that checks nothing does not load the library. */
export function lazyAjv(options: Options, prepare: (ajv: Ajv2020) => void = () => {}): LazyAjv {
  let ajv: Ajv2020 | undefined
  return {
    compile(schema) {
      if (!ajv) {
        const library: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
        ajv = new library.Ajv2020(options)
        prepare(ajv)
      }
      return ajv.compile(schema)
    },
  }
}

/** Adds the formats of JSON Schema, such as `date-time`. */
export function addFormats(ajv: Ajv2020): void {
  const library: typeof import('ajv-formats') = require('ajv-formats')
  library.default(ajv)
}
