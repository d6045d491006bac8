import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Batch, largestBatch, type Submission } from '../../src/ledger/batch-queue.ts'
import type { Command } from '../../src/ledger/commands.ts'
import { type SortedBatch, SortedBatchQueue } from '../../src/storage/postgres/sorted-batch-queue.ts'

let submissions = 0
const submission = (type: 'admit' | 'end' | 'credit', projectId: string): Submission => {
  submissions += 1
  const command = { type, projectId, chargeId: String(submissions) } as unknown as Command
  return { command, resolve: () => {}, reject: () => {}, since: 0 }
}
const newQueue = () => new SortedBatchQueue({ fullBatch: 4 })

const typesOf = ({ submissions }: Batch) => submissions.map(({ command }) => command.type)
const projectsOf = ({ submissions }: Batch) => new Set(submissions.map(({ command }) => command.projectId))
const kindOf = (batch: Batch) => {
  const kinds = new Set(typesOf(batch).map((type) => (type === 'end' ? 'ends' : 'others')))
  return kinds.size === 1 ? [...kinds][0] : 'mixed'
}

/** A new command, or a batch that ends (by its position among those under way), or the end of a turn. */
const events = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom('admit', 'end', 'credit'), fc.constantFrom(...'abcdefghij')) },
    { weight: 1, arbitrary: fc.nat(1) },
    { weight: 1, arbitrary: fc.constant('turn' as const) },
  ),
  { maxLength: 200 },
)

describe('batches of one kind', () => {
  it('batches of one kind keep the order of every project, lose nothing, and never overlap one of the same kind or projects', () => {
    fc.assert(
      fc.property(events, (history) => {
        const queue = newQueue()
        const came: Submission[] = []
        const sent: Submission[] = []
        const underWay: SortedBatch[] = []
        const send = (batch: SortedBatch) => {
          expect(batch.submissions.length).toBeLessThanOrEqual(largestBatch)
          expect(batch.submissions.length).toBeGreaterThan(0)
          for (const other of underWay) {
            expect(projectsOf(batch).isDisjointFrom(projectsOf(other))).toBe(true)
            expect(batch.kind).not.toBe(other.kind)
          }
          if (batch.kind !== 'mixed') expect(kindOf(batch)).toBe(batch.kind)
          sent.push(...batch.submissions)
          underWay.push(batch)
          expect(underWay.length).toBeLessThanOrEqual(2)
        }
        const sendFull = () => {
          for (let batch = queue.takeFull(); batch; batch = queue.takeFull()) send(batch)
        }
        const turn = () => {
          sendFull()
          const batch = queue.takeAny()
          if (batch) send(batch)
        }
        const end = (place: number) => {
          const [batch] = underWay.splice(place % Math.max(underWay.length, 1), 1)
          if (batch) queue.done(batch)
        }
        for (const event of history) {
          if (event === 'turn') turn()
          else if (typeof event === 'number') end(event)
          else {
            const one = submission(...event)
            came.push(one)
            queue.add(one)
            sendFull()
          }
          expect(queue.waiting + sent.length).toBe(came.length)
          expect(queue.underWay).toBe(underWay.reduce((sum, batch) => sum + batch.submissions.length, 0))
        }
        while (queue.waiting > 0 || underWay.length > 0) {
          end(0)
          turn()
        }
        const ofProject = (all: readonly Submission[], projectId: string) =>
          all.filter(({ command }) => command.projectId === projectId)
        for (const projectId of 'abcdefghij') expect(ofProject(sent, projectId)).toEqual(ofProject(came, projectId))
      }),
    )
  })

  const add = (queue: SortedBatchQueue, type: 'admit' | 'end', projects: string) => {
    for (const projectId of projects) queue.add(submission(type, projectId))
  }

  it('batches of one kind start as soon as they are full, endings in parallel with admissions', () => {
    const queue = newQueue()
    add(queue, 'admit', 'abc')
    expect(queue.takeFull()).toBeNull()
    add(queue, 'admit', 'd')
    expect(kindOf(queue.takeFull()!)).toBe('others')
    add(queue, 'admit', 'efgh')
    add(queue, 'end', 'ijk')
    expect(queue.takeFull()).toBeNull()
    add(queue, 'end', 'l')
    expect(typesOf(queue.takeFull()!)).toEqual(['end', 'end', 'end', 'end'])
    expect(queue.takeFull()).toBeNull()
  })

  it('batches of one kind wait for a batch under way that shares a project', () => {
    const queue = newQueue()
    add(queue, 'admit', 'abcd')
    const first = queue.takeFull()!
    add(queue, 'end', 'aefg')
    expect(queue.takeFull()).toBeNull()
    queue.done(first)
    expect(kindOf(queue.takeFull()!)).toBe('ends')
  })

  it('batches of one kind are mixed when the store is idle and too few commands of any kind wait', () => {
    const queue = newQueue()
    add(queue, 'end', 'a')
    add(queue, 'admit', 'b')
    expect(typesOf(queue.takeAny()!)).toEqual(['end', 'admit'])
    expect(queue.takeAny()).toBeNull()
  })
})
