import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ErrorCode, errors } from '../../src/contract/errors.ts'
import { billableOperations, scopes } from '../../src/contract/prices.ts'
import type { Admit, Credit, End, Result } from '../../src/ledger/commands.ts'
import { packCommands, packResults, unpackCommands, unpackResults } from '../../src/storage/sqlite/packed-commands.ts'

/** Any text, also such as looks like a command's type or a result's kind. */
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('admit', 'end', 'credit', 'reserved', 'ended'))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const errorCodes = Object.keys(errors) as ErrorCode[]
const number = fc.maxSafeNat()
const response = fc.record({ status: fc.integer({ min: 200, max: 599 }), body: text })
const item = fc.record({ itemRef: fc.record({ provider: text, productId: text }), title: text })

const admit = fc.record({
  type: fc.constant('admit' as const),
  chargeId: text,
  projectId: text,
  keyId: text,
  scope: fc.constantFrom(...scopes),
  limit: fc.record({ max: number, windowMs: number }),
  fault: maybe(fc.constantFrom(...errorCodes)),
  operation: fc.constantFrom(...billableOperations),
  credits: number,
  pricingVersion: text,
  leavesProcess: fc.boolean(),
  idempotencyDigest: text,
  fingerprint: text,
  isolationVersion: number,
  instanceId: text,
  requestId: text,
  at: number,
}) satisfies fc.Arbitrary<Admit>

const end = fc.record({
  type: fc.constant('end' as const),
  chargeId: text,
  projectId: text,
  from: fc.constantFrom('reserved' as const, 'manual_review' as const),
  to: fc.constantFrom('settled' as const, 'released' as const, 'manual_review' as const),
  response: maybe(response),
  usage: maybe(text),
  reason: maybe(text),
  shown: fc.array(item as unknown as fc.Arbitrary<End['shown'][number]>, { maxLength: 3 }),
  decision: maybe(fc.record({ by: text, reason: text })),
  at: number,
}) satisfies fc.Arbitrary<End>

const credit = fc.record({
  type: fc.constant('credit' as const),
  orderId: text,
  projectId: text,
  lotId: text,
  at: number,
}) satisfies fc.Arbitrary<Credit>

const result: fc.Arbitrary<Result> = fc.oneof(
  fc.constant({ kind: 'reserved' as const }),
  fc.constant({ kind: 'ended' as const }),
  fc.constant({ kind: 'unknown' as const }),
  fc.record({ kind: fc.constant('replay' as const), response }),
  fc.record({ kind: fc.constant('under_way' as const), chargeId: text }),
  fc.record({ kind: fc.constant('refused' as const), code: fc.constantFrom(...errorCodes) }),
)

describe('batches on their way to the store and back', () => {
  it('arrive as they were sent', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(admit, end, credit), { maxLength: 8 }), (commands) => {
        expect(unpackCommands(structuredClone(packCommands(commands)))).toEqual(commands)
      }),
    )
  })

  it('come back with every result in its place', () => {
    fc.assert(
      fc.property(fc.array(result, { maxLength: 8 }), (results) => {
        expect(unpackResults(structuredClone(packResults(results)))).toEqual(results)
      }),
    )
  })
})
