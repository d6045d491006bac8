import { expect } from 'vitest'

/** Checks every row of a table in one test, which fails with the list of all rows that did not pass. */
export async function eachRow<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  check: (row: T) => unknown,
): Promise<void> {
  expect(rows.length).toBeGreaterThan(0)
  const offenders: string[] = []
  for (const row of rows) {
    try {
      await check(row)
    } catch (error) {
      offenders.push(`${nameOf(row)}: ${(error as Error).message}`)
    }
  }
  expect(offenders).toEqual([])
}
