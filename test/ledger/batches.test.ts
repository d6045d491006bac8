import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Batch, Batches, type Submission } from '../../src/ledger/batches.ts'
import type { Command } from '../../src/ledger/commands.ts'

let submissions = 0
const submission = (type: 'admit' | 'end' | 'credit', projectId: string): Submission => {
  submissions += 1
  const command = { type, projectId, chargeId: String(submissions) } as unknown as Command
  return { command, resolve: () => {}, reject: () => {} }
}
const sorted = { fullBatch: 4, commitsAtOnce: 2, isSorted: true }
const largest = 10

const typesOf = ({ submissions }: Batch) => submissions.map(({ command }) => command.type)
const projectsOf = ({ submissions }: Batch) => new Set(submissions.map(({ command }) => command.projectId))
const isEnding = (type: string) => type === 'end'

/** One that waits, or a batch that is done (the so-many-th of those under way), or the end of a turn. */
const events = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom('admit', 'end', 'credit'), fc.constantFrom(...'abcdefghij')) },
    { weight: 1, arbitrary: fc.nat(1) },
    { weight: 1, arbitrary: fc.constant('turn' as const) },
  ),
  { maxLength: 200 },
)

describe('batches of one kind', () => {
  it('keep the order of every project, lose nothing, and never go beside one of their kind or their projects', () => {
    fc.assert(
      fc.property(events, (history) => {
        const batches = new Batches(sorted, largest)
        const came: Submission[] = []
        const sent: Submission[] = []
        const underWay: Batch[] = []
        const send = (batch: Batch) => {
          expect(batch.submissions.length).toBeLessThanOrEqual(largest)
          expect(batch.submissions.length).toBeGreaterThan(0)
          for (const other of underWay) {
            expect(projectsOf(batch).isDisjointFrom(projectsOf(other))).toBe(true)
            expect(batch.kind).not.toBe(other.kind)
          }
          if (batch.kind !== 'mixed') {
            expect(typesOf(batch).every((type) => isEnding(type) === (batch.kind === 'endings'))).toBe(true)
          }
          sent.push(...batch.submissions)
          underWay.push(batch)
          expect(underWay.length).toBeLessThanOrEqual(sorted.commitsAtOnce)
        }
        const sendFull = () => {
          for (let batch = batches.nextFull(); batch; batch = batches.nextFull()) send(batch)
        }
        const turn = () => {
          sendFull()
          const batch = batches.next()
          if (batch) send(batch)
        }
        const end = (place: number) => {
          const [batch] = underWay.splice(place % Math.max(underWay.length, 1), 1)
          if (batch) batches.done(batch)
        }
        for (const event of history) {
          if (event === 'turn') turn()
          else if (typeof event === 'number') end(event)
          else {
            const one = submission(...event)
            came.push(one)
            batches.add(one)
            sendFull()
          }
          expect(batches.waiting + sent.length).toBe(came.length)
          expect(batches.underWay).toBe(underWay.reduce((sum, batch) => sum + batch.submissions.length, 0))
        }
        while (batches.waiting > 0 || underWay.length > 0) {
          end(0)
          turn()
        }
        const ofProject = (all: readonly Submission[], projectId: string) =>
          all.filter(({ command }) => command.projectId === projectId)
        for (const projectId of 'abcdefghij') expect(ofProject(sent, projectId)).toEqual(ofProject(came, projectId))
      }),
    )
  })

  const add = (batches: Batches, type: 'admit' | 'end', projects: string) => {
    for (const projectId of projects) batches.add(submission(type, projectId))
  }

  it('go as soon as they are full, endings beside admissions', () => {
    const batches = new Batches(sorted, largest)
    add(batches, 'admit', 'abc')
    expect(batches.nextFull()).toBeNull()
    add(batches, 'admit', 'd')
    expect(batches.nextFull()?.kind).toBe('others')
    add(batches, 'admit', 'efgh')
    add(batches, 'end', 'ijk')
    expect(batches.nextFull()).toBeNull()
    add(batches, 'end', 'l')
    expect(batches.nextFull()).toMatchObject({ kind: 'endings', submissions: { length: 4 } })
    expect(batches.nextFull()).toBeNull()
  })

  it('wait for the project they share with one under way', () => {
    const batches = new Batches(sorted, largest)
    add(batches, 'admit', 'abcd')
    const first = batches.nextFull()!
    add(batches, 'end', 'aefg')
    expect(batches.nextFull()).toBeNull()
    batches.done(first)
    expect(batches.nextFull()?.kind).toBe('endings')
  })

  it('are mixed when too few of any kind wait for a store that has nothing to do', () => {
    const batches = new Batches(sorted, largest)
    add(batches, 'end', 'a')
    add(batches, 'admit', 'b')
    expect(batches.next()).toMatchObject({ kind: 'mixed', submissions: { length: 2 } })
    expect(batches.next()).toBeNull()
  })
})
