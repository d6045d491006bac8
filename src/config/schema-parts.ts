import { type TSchema, Type } from 'typebox'

/** Every number is bounded: an oversized timer would fire at once, an oversized date is invalid. */
export const integer = (
  value: number,
  description: string,
  { minimum = 1, maximum }: { minimum?: number; maximum: number },
) => Type.Integer({ minimum, maximum, default: value, description })

/** Null by default: the setting is off. */
export const integerOrNull = (description: string, range: { minimum: number; maximum: number }) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], ...range, default: null, description })

const count = { maximum: 1_000_000_000 }
export const oneHourMs = { maximum: 3_600_000 }
export const oneYearSeconds = { maximum: 31_536_000 }
export const hundredYearsDays = { maximum: 36_500 }

export const section = <P extends Record<string, TSchema>>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, default: {}, description })

export const rateLimit = (max: number, windowSeconds: number, description: string) =>
  section(
    {
      max: integer(max, 'How many are allowed in one window.', count),
      windowSeconds: integer(windowSeconds, 'Length of the window.', oneYearSeconds),
    },
    description,
  )

/** Provider names appear in setting paths and in the contract. */
export const byName = <T extends TSchema>(schema: T, description: string) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }), schema, {
    additionalProperties: false,
    default: {},
    description,
  })
