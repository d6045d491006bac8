import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCompletions } from '../../../../src/features/calls/openai/completions.ts'
import type { LiveBody } from '../../../../src/http/live-body.ts'
import type { Call, RouteResponse } from '../../../../src/http/route.ts'
import type { RelayResponse } from '../../../../src/relay/call.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const [earlier, own] = ['chg_0VVm9aB4002dC6vTy2Kf', 'chg_0VVm9aB4002dC6vTy2Kg']
const completion = { choices: [{ finish_reason: 'stop', message: { content: 'a' } }], usage: {} }

/** The part of a relayed call that the stream sees. */
interface Asked {
  readonly onCharge: (chargeId: string | null, isUnderWay: boolean) => void
  readonly sink: { onChunk(delta: object): void; onLast(delta: object): void }
}

/** The server sends the headers as soon as there is a response: `named` is the charge in them. */
async function stream(work: (asked: Asked) => Promise<Pick<RelayResponse, 'chargeId' | 'isReplay'>>) {
  const call = {
    requestId: 'req_1',
    requester: { address: '127.0.0.1' },
    charge: null as { readonly chargeId: string } | null,
    recognize() {},
    noteCharge(charge: { readonly chargeId: string } | null) {
      call.charge = charge
    },
    watchDelivery() {},
    header: (name: string) =>
      name === 'authorization' ? { value: 'Bearer gk' } : name === 'idempotency-key' ? { value: 'again' } : 'absent',
    readJson: async () => ({ model: 'fast', messages: [{ role: 'user', content: 'hello' }], stream: true }),
  }
  const ended = { body: JSON.stringify(completion), value: completion, status: 200, code: null, isStored: true }
  const deps = {
    authenticate: async () => ({ projectId: 'prj_1', keyId: 'key_1' }),
    relay: { run: async (asked: Asked) => ({ ...ended, ...(await work(asked)) }) },
    operations: { 'model.chat': { prepare: () => ({ model: { name: 'fast' } }) } },
    refusals: { check() {} },
    passesOf: () => [],
    largeBodies: { read: (_call: Call, _projectId: string, read: () => unknown) => read() },
    refuseUnpaid: async () => {},
    openStreams: { enter: () => ({ ended() {} }) },
    released: { count() {} },
    onFault() {},
  }
  const completions = createCompletions(deps as unknown as Parameters<typeof createCompletions>[0])
  let response: RouteResponse | null = null
  void completions.respond(call as unknown as Call).then((it) => {
    response = it
  })
  await vi.advanceTimersByTimeAsync(15_000)
  const named = call.charge?.chargeId ?? null
  const sent: string[] = []
  const running = (response!.body as LiveBody).run({ write: (text) => void sent.push(text) })
  await vi.advanceTimersByTimeAsync(5000)
  await running
  return { named, logged: call.charge?.chargeId, text: sent.join('') }
}

const later = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

function send({ sink }: Asked): void {
  sink.onChunk({ content: 'a' })
  sink.onLast({})
}

test('a stream that waits for an earlier call, and is charged itself after all, names no other charge', async () => {
  const { named, logged, text } = await stream(async (asked) => {
    asked.onCharge(earlier, true)
    await later(16_000)
    asked.onCharge(own, false)
    send(asked)
    return { chargeId: own, isReplay: false }
  })
  expect([named, logged]).toEqual([null, own])
  expect(text).toMatch(/^: waiting\n\n/)
  expect(text).not.toContain(earlier.slice(4))
})

test('a stream that waits for an earlier call is logged with its charge', async () => {
  const { named, logged } = await stream(async ({ onCharge }) => {
    onCharge(earlier, true)
    await later(16_000)
    return { chargeId: earlier, isReplay: true }
  })
  expect([named, logged]).toEqual([null, earlier])
})

test('a stream with a charge of its own names it while it is silent', async () => {
  const { named, logged } = await stream(async (asked) => {
    asked.onCharge(own, false)
    await later(16_000)
    send(asked)
    return { chargeId: own, isReplay: false }
  })
  expect([named, logged]).toEqual([own, own])
})
