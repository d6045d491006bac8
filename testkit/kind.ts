/** The three kinds of tests. A file's name says its kind: `x.test.ts`, `x.browser.test.ts`, `x.process.test.ts`. */
export type TestKind = 'unit' | 'browser' | 'process'

/**
 * Fails a test that starts what its kind may not start, so that `npm test` stays fast. Benchmarks and other programs that
 * use the same helpers are no tests and may start anything.
 */
export function requireKind(needed: Exclude<TestKind, 'unit'>, what: string): void {
  const kind = process.env.TEST_KIND
  if (kind === undefined || kind === needed) return
  throw new Error(`${what} needs a file named *.${needed}.test.ts: this one is run as a ${kind} test`)
}
