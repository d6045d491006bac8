import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ResponseStream } from '../../../../src/features/calls/openai/response-stream.ts'

describe('a response that is passed on while it arrives', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function start() {
    const sent: string[] = []
    const stream = new ResponseStream({ model: 'fast', includesUsage: false }, new AbortController().signal)
    let hasBegun = false
    void stream.begun.then(() => {
      hasBegun = true
    })
    stream.sendTo({ write: (text) => sent.push(text) })
    stream.charged('chg_0VVm9aB4002dC6vTy2Kf')
    return { sent, stream, hasBegun: () => hasBegun }
  }

  it('a response that is passed on while it arrives begins with its first part', async () => {
    const { sent, stream, hasBegun } = start()
    await vi.advanceTimersByTimeAsync(14_000)
    expect([sent, hasBegun()]).toEqual([[], false])
    stream.onChunk({ content: 'a' })
    await vi.advanceTimersByTimeAsync(0)
    expect(hasBegun()).toBe(true)
    expect(sent).toEqual([expect.stringContaining('"delta":{"role":"assistant","content":"a"}')])
    stream.close()
  })

  it('a response that is passed on while it arrives breaks every silence of 15 seconds with a comment, until it is closed', async () => {
    const { sent, stream, hasBegun } = start()
    await vi.advanceTimersByTimeAsync(15_000)
    expect([sent, hasBegun()]).toEqual([[': waiting\n\n'], true])
    await vi.advanceTimersByTimeAsync(10_000)
    stream.onChunk({ content: 'a' })
    await vi.advanceTimersByTimeAsync(14_999)
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent[2]).toBe(': waiting\n\n')
    stream.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toHaveLength(3)
  })
})
