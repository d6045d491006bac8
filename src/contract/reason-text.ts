import { errors } from './errors.ts'
import { reasons } from './reasons.ts'

const texts: ReadonlyMap<string, string> = new Map([
  ...Object.entries(errors).map(([code, { meaning }]) => [code, meaning] as const),
  ...Object.entries(reasons),
])

/** The meaning of an error or reason code. A code that a newer version stored has no text here and stands for itself. */
export const reasonText = (code: string): string => texts.get(code) ?? code
