import { expect, it } from 'vitest'
import { FifoBatchQueue } from '../../src/ledger/batch-queue.ts'
import type { Admit, Command, CommandResult, End } from '../../src/ledger/commands.ts'
import { createLedger } from '../../src/ledger/ledger.ts'

const admission = { type: 'admit' } as Admit
const ending = { type: 'end' } as End
const createQueue = () => new FifoBatchQueue({ fullBatch: 16, maxConcurrentBatches: 2 })

/** A store whose commits stay open until the test ends them. */
function slowStore() {
  const commits: { readonly size: number; readonly end: () => void }[] = []
  const apply = (commands: readonly Command[]) =>
    new Promise<CommandResult[]>((resolve) => {
      commits.push({ size: commands.length, end: () => resolve(commands.map(() => ({ kind: 'ended' }))) })
    })
  return { apply, commits, sizes: () => commits.map(({ size }) => size) }
}

it('a full batch queue refuses calls, but still accepts commands that end a charge', async () => {
  const { apply, commits } = slowStore()
  const ledger = createLedger({ store: { apply, createQueue, isUnavailable: () => false }, maxQueued: 3 })
  const admitted = Array.from({ length: 3 }, () => ledger.admit(admission))
  expect(await ledger.admit(admission)).toMatchObject({ kind: 'refused', code: 'PROVIDER_CAPACITY_EXHAUSTED' })
  const ended = Array.from({ length: 3 }, () => ledger.end(ending))
  expect(ledger.queued()).toBe(6)

  await expect.poll(() => commits.length).toBe(1)
  commits[0]!.end()
  await Promise.all([...admitted, ...ended])
  expect(ledger.queued()).toBe(0)
})

it('a command that the store rejects fails alone, without its batch', async () => {
  const poison = { type: 'end', chargeId: 'poison' } as End
  const apply = async (commands: readonly Command[]): Promise<CommandResult[]> => {
    if (commands.includes(poison)) throw new Error('refused')
    return commands.map(() => ({ kind: 'ended' }))
  }
  const ledger = createLedger({ store: { apply, createQueue, isUnavailable: () => false } })
  const commands = Array.from({ length: 9 }, (_, i) => (i === 5 ? poison : ending))
  const results = await Promise.allSettled(commands.map(ledger.end))
  expect(results.map(({ status }) => status)).toEqual(
    commands.map((command) => (command === poison ? 'rejected' : 'fulfilled')),
  )
})

it('an unavailable store is tried once per batch, not once per command', async () => {
  let asked = 0
  const apply = async (): Promise<CommandResult[]> => {
    asked += 1
    throw new Error('gone')
  }
  const ledger = createLedger({ store: { apply, createQueue, isUnavailable: () => true } })
  const results = await Promise.allSettled(Array.from({ length: 9 }, () => ledger.end(ending)))
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(asked).toBe(1)
})

it('a full batch starts at once, while another runs; fewer commands wait until the store is idle', async () => {
  const { apply, commits, sizes } = slowStore()
  const store = {
    apply,
    createQueue: () => new FifoBatchQueue({ fullBatch: 3, maxConcurrentBatches: 2 }),
    isUnavailable: () => false,
  }
  const ledger = createLedger({ store })
  const turn = () => new Promise(setImmediate)
  const submit = (count: number) => Array.from({ length: count }, () => ledger.end(ending))

  const first = submit(2)
  expect(sizes()).toEqual([])
  await turn()
  expect(sizes()).toEqual([2])

  const second = submit(4)
  expect(sizes()).toEqual([2, 3])
  const third = submit(5)
  await turn()
  expect(sizes()).toEqual([2, 3])

  commits[0]!.end()
  await Promise.all(first)
  await turn()
  expect(sizes()).toEqual([2, 3, 6])
  const last = submit(1)
  commits[1]!.end()
  await turn()
  expect(sizes()).toEqual([2, 3, 6])
  commits[2]!.end()
  await Promise.all([...second, ...third])
  await expect.poll(sizes).toEqual([2, 3, 6, 1])
  commits[3]!.end()
  await Promise.all(last)
  expect(ledger.queued()).toBe(0)
})

it('commits that fail one after another are reported, until one succeeds', async () => {
  let isDown = true
  const apply = async (commands: readonly Command[]): Promise<CommandResult[]> => {
    if (isDown) throw new Error('the disk is full')
    return commands.map(() => ({ kind: 'ended' }))
  }
  const ledger = createLedger({ store: { apply, createQueue, isUnavailable: () => isDown } })
  for (let time = 0; time < 3; time += 1) {
    expect(ledger.isFailing()).toBe(false)
    await expect(ledger.end(ending)).rejects.toThrow('the disk is full')
  }
  expect(ledger.isFailing()).toBe(true)
  isDown = false
  await ledger.end(ending)
  expect(ledger.isFailing()).toBe(false)
})

it('failures do not age: without calls they are reported until a check shows that there is room again', async () => {
  let now = 0
  const apply = () => Promise.reject(new Error('the disk is full'))
  const store = { apply, createQueue, isUnavailable: () => true }
  const ledger = createLedger({ store, monotonicMs: () => now })
  const fail = () => expect(ledger.end(ending)).rejects.toThrow('the disk is full')
  for (let time = 0; time < 3; time += 1) await fail()
  now += 3_600_000
  expect(ledger.isFailing()).toBe(true)

  const beforeAnother = ledger.failures()
  await fail()
  ledger.checked(beforeAnother)
  expect(ledger.isFailing()).toBe(true)
  ledger.checked(ledger.failures())
  expect(ledger.isFailing()).toBe(false)
})

it('one command that the store rejects again and again says nothing about the others', async () => {
  const apply = () => Promise.reject(new Error('a damaged row'))
  const ledger = createLedger({ store: { apply, createQueue, isUnavailable: () => false } })
  for (let time = 0; time < 5; time += 1) await expect(ledger.end(ending)).rejects.toThrow('a damaged row')
  expect(ledger.isFailing()).toBe(false)
})

it('behind commits that fail slowly, a command is refused after the limit without another commit', async () => {
  let now = 0
  const commits: (() => void)[] = []
  const apply = () =>
    new Promise<CommandResult[]>((_resolve, reject) => commits.push(() => reject(new Error('no standby'))))
  const ledger = createLedger({
    store: { apply, createQueue, isUnavailable: () => true },
    waitLimitMs: 5000,
    monotonicMs: () => now,
  })
  const outcomeOf = (command: Promise<unknown>) => command.then(String, (error: Error) => error.name)
  const first = outcomeOf(ledger.admit(admission))
  await expect.poll(() => commits.length).toBe(1)
  const early = outcomeOf(ledger.admit(admission))
  now = 3000
  const late = outcomeOf(ledger.end(ending))
  now = 5000
  commits[0]!()
  expect(await Promise.all([first, early])).toEqual(['Error', 'LedgerUnavailable'])
  // It has not waited long yet, so it gets a commit of its own.
  await expect.poll(() => commits.length).toBe(2)
  commits[1]!()
  expect(await late).toBe('Error')
  expect(ledger.queued()).toBe(0)
})
