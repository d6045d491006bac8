import { expect, it } from 'vitest'
import type { Admit, Command, End, Result } from '../../src/ledger/commands.ts'
import { createLedger } from '../../src/ledger/ledger.ts'

const admission = { type: 'admit' } as Admit
const ending = { type: 'end' } as End

it('books that fall behind turn calls away at the bound, but take in whatever ends a charge', async () => {
  const commits: PromiseWithResolvers<Result[]>[] = []
  const apply = (_: readonly Command[]) => {
    const commit = Promise.withResolvers<Result[]>()
    commits.push(commit)
    return commit.promise
  }
  const ledger = createLedger({ books: { apply }, maxBatch: 2, maxQueued: 3 })
  const admitted = Array.from({ length: 3 }, () => ledger.admit(admission))
  expect(await ledger.admit(admission)).toEqual({ kind: 'refused', code: 'PROVIDER_CAPACITY_EXHAUSTED' })
  const ended = Array.from({ length: 3 }, () => ledger.end(ending))
  expect(ledger.queued()).toBe(6)

  for (let batch = 0; batch < 3; batch += 1) {
    await expect.poll(() => commits.length).toBe(batch + 1)
    commits[batch]!.resolve([{ kind: 'ended' }, { kind: 'ended' }])
  }
  await Promise.all([...admitted, ...ended])
  expect(ledger.queued()).toBe(0)
})
