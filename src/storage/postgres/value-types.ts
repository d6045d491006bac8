import pg from 'pg'

/** Returns the same values as SQLite: integers and sums as numbers, comparisons as 0 or 1. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

const parsers: Readonly<Record<number, (text: string) => number>> = {
  [pg.types.builtins.BOOL]: (text) => (text === 't' ? 1 : 0),
  [pg.types.builtins.INT8]: toSafeInteger,
  // A sum of BIGINT is a NUMERIC.
  [pg.types.builtins.NUMERIC]: toSafeInteger,
}

function toSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`)
  return value
}
