import { expect, test } from 'vitest'
import { createAuditHeadWatch } from '../../../src/features/operators/feature.ts'

test('each new end of the audit log is logged once, at most one line per look', async () => {
  const lines: object[] = []
  let head = { entries: 1, hash: 'a' }
  const watch = createAuditHeadWatch({ read: async () => head, logger: { info: (fields) => lines.push(fields) } })
  await watch.report()
  await watch.report()
  expect(lines).toEqual([{ auditEntry: '1:a' }])
  head = { entries: 50, hash: 'b' }
  await watch.report()
  // A shorter log is news too.
  head = { entries: 1, hash: 'a' }
  await watch.report()
  expect(lines).toEqual([{ auditEntry: '1:a' }, { auditEntry: '50:b' }, { auditEntry: '1:a' }])
  expect(await watch.entries()).toBe(1)
})
