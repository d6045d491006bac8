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
  const ledger = createLedger({ books: { apply, isUnavailable: () => false }, maxBatch: 2, maxQueued: 3 })
  const admitted = Array.from({ length: 3 }, () => ledger.admit(admission))
  expect(await ledger.admit(admission)).toEqual({ kind: 'refused', code: 'PROVIDER_CAPACITY_EXHAUSTED' })
  const ended = Array.from({ length: 3 }, () => ledger.end(ending))
  expect(ledger.queued()).toBe(6)

  for (let batch = 0; batch < 3; batch += 1) {
    await expect.poll(() => commits.length).toBeGreaterThan(batch)
    commits[batch]!.resolve([{ kind: 'ended' }, { kind: 'ended' }])
  }
  await Promise.all([...admitted, ...ended])
  expect(ledger.queued()).toBe(0)
})

it('a command that the store can never take fails alone, not with its neighbours', async () => {
  const poison = { type: 'end', chargeId: 'poison' } as End
  const apply = async (commands: readonly Command[]): Promise<Result[]> => {
    if (commands.includes(poison)) throw new Error('refused')
    return commands.map(() => ({ kind: 'ended' }))
  }
  const ledger = createLedger({ books: { apply, isUnavailable: () => false } })
  const commands = Array.from({ length: 9 }, (_, i) => (i === 5 ? poison : ending))
  const results = await Promise.allSettled(commands.map(ledger.end))
  expect(results.map(({ status }) => status)).toEqual(
    commands.map((command) => (command === poison ? 'rejected' : 'fulfilled')),
  )
})

it('a store that is out of reach is asked once for a batch, not once for each command', async () => {
  let asked = 0
  const apply = async (): Promise<Result[]> => {
    asked += 1
    throw new Error('gone')
  }
  const ledger = createLedger({ books: { apply, isUnavailable: () => true } })
  const results = await Promise.allSettled(Array.from({ length: 9 }, () => ledger.end(ending)))
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(asked).toBe(1)
})
