import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReviewStore } from '../../src/features/calls/reviews/store.ts'
import type { ChargeState, Command, End } from '../../src/ledger/commands.ts'
import { decisionNote, ending, settledResponse } from '../../testkit/store/commands.ts'
import { engines, freshStore } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, type Customer, createCustomer, createRig, type Rig } from '../../testkit/store/rig.ts'

const responses = { settled: 200, released: 502, manual_review: 202 } as const

/** A charge is reserved, may end after this many others were reserved, and its review may be decided. */
interface Past {
  readonly project: number
  readonly credits: number
  readonly end: End['to'] | null
  readonly later: number
  readonly decision: 'settled' | 'released' | null
}
const histories = fc.array<Past>(
  fc.record({
    project: fc.nat(2),
    credits: fc.integer({ min: 1, max: 12 }),
    end: fc.constantFrom(null, 'settled', 'released', 'manual_review'),
    later: fc.nat(12),
    decision: fc.constantFrom(null, 'settled', 'released'),
  }),
  { minLength: 20, maxLength: 40 },
)
/** At least some of each: seven stay reserved and two in review, one of them with later calls. */
const ends = [
  null,
  'manual_review',
  null,
  null,
  'settled',
  null,
  'manual_review',
  null,
  'released',
  null,
  null,
] as const
const example = ends.map(
  (end, place): Past => ({ project: place % 2, credits: 3, end, later: place % 3, decision: null }),
)

describe.each(engines)('the charges that hold credits on %s', (engine) => {
  let opened: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let customers: Customer[]
  const truth = new Map<string, { projectId: string; credits: number; state: ChargeState }>()

  beforeAll(async () => {
    opened = await freshStore(engine)
    rig = createRig(opened.store)
    customers = await Promise.all(Array.from({ length: 3 }, () => createCustomer(rig)))
    for (const { projectId } of customers) await addCredits(rig, projectId, 100_000)
  })
  afterAll(() => opened.remove())

  const endOf = (chargeId: string, from: End['from'], to: End['to']): End =>
    ending({
      ...{ chargeId, projectId: truth.get(chargeId)!.projectId, from, to, at: rig.clock() },
      response: { ...settledResponse, status: responses[to] },
      decision: from === 'manual_review' ? decisionNote({ chargeId, to }) : null,
    })

  async function apply(command: Command): Promise<void> {
    const [result] = await rig.stores.batches.apply([command])
    expect(['reserved', 'ended']).toContain(result!.kind)
    if (command.type === 'end') truth.get(command.chargeId)!.state = command.to
  }

  const ids = (state: ChargeState, projectId?: string) =>
    [...truth]
      .filter(([, charge]) => charge.state === state && (!projectId || charge.projectId === projectId))
      .map(([chargeId]) => chargeId)
      .sort()
  const sumOf = (state: ChargeState, projectId: string) => {
    const held = ids(state, projectId)
    return { charges: held.length, credits: held.reduce((sum, id) => sum + truth.get(id)!.credits, 0) }
  }

  it('the charges that hold credits are found after any history: of all projects in id order, and of one project as a sum', async () => {
    const all = 100_000
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const due: { after: number; chargeId: string; end: End['to']; decision: 'settled' | 'released' | null }[] = []
        for (const [place, { project, credits, end, later, decision }] of history.entries()) {
          const admission = admissionOf(rig, customers[project]!, {
            credits,
            limit: { max: 1_000_000, windowMs: 60_000 },
          })
          const { chargeId, projectId } = admission
          truth.set(chargeId, { projectId, credits, state: 'reserved' })
          await apply(admission)
          if (end) due.push({ after: place + later, chargeId, end, decision })
          for (const one of due.filter(({ after }) => after === place)) {
            await apply(endOf(one.chargeId, 'reserved', one.end))
            if (one.end === 'manual_review' && one.decision) {
              await apply(endOf(one.chargeId, 'manual_review', one.decision))
            }
          }
        }
        const { charges, reports } = rig.stores
        const reserved = await charges.reserved('', all)
        expect(reserved.map(({ chargeId }) => chargeId)).toEqual(ids('reserved'))
        for (const { chargeId, projectId, credits } of reserved) {
          expect(truth.get(chargeId)).toMatchObject({ projectId, credits })
        }
        const reviews = await createReviewStore(opened.store).waiting('', all)
        expect(reviews.map(({ chargeId }) => chargeId)).toEqual(ids('manual_review'))
        expect(await charges.countInReview()).toBe(reviews.length)
        for (const { projectId } of customers) {
          expect(await reports.state(projectId, 0)).toMatchObject({
            underWay: sumOf('reserved', projectId),
            inReview: sumOf('manual_review', projectId),
          })
        }
      }),
      { numRuns: 12, endOnFailure: true, examples: [[example]] },
    )
    expect(ids('reserved').length).toBeGreaterThanOrEqual(7)
    expect(ids('manual_review').length).toBeGreaterThanOrEqual(2)
  })

  it('the charges that hold credits are read in pages that continue after the last charge', async () => {
    const pages: string[] = []
    for (let after = ''; ; ) {
      const page = await rig.stores.charges.reserved(after, 3)
      pages.push(...page.map(({ chargeId }) => chargeId))
      if (page.length < 3) break
      after = page.at(-1)!.chargeId
    }
    expect(pages).toEqual(ids('reserved'))
  })
})
