import { test } from 'vitest'
import { expectKeptPromises } from '../../testkit/storms/expect-kept-promises.ts'

test('killed gateways keep every promise on the embedded store', { timeout: 300_000 }, () =>
  expectKeptPromises('sqlite:', 1),
)
