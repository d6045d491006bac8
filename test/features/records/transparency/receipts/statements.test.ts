import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createStatements } from '../../../../../src/features/records/transparency/receipts/statements.ts'

test('a statement that is never read gives its place back', async () => {
  const unused = () => {
    throw new Error('not read')
  }
  const statements = createStatements({
    engine: { read: (work) => work({ get: async () => ({ at: 0 }) } as never) },
    keys: { get: unused, signers: unused },
    publisher: { current: unused, isSound: unused } as never,
    tiles: { reader: unused },
    archivedReads: { subject: unused, entriesFrom: unused, firstNotBefore: unused, archived: unused },
    issuer: 'http://localhost:8787',
    clock: () => Date.parse('2026-09-20T00:00:00Z'),
    reports: { ledgerEnds: async () => ({ first: 1, last: 0, archivedUntil: null }), enteredAt: unused },
  })
  const open = (project: number) => statements.jsonl(`prj_${project}`, '2026-09')
  const broken = await Promise.all(Array.from({ length: 8 }, (_, project) => open(project)))
  await expect(open(0)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await expect(open(8)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  for (const stream of broken) {
    stream.destroy()
    await once(stream, 'close')
  }
  const again = await open(0)
  again.destroy()
})
