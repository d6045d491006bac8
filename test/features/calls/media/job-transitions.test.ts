import { describe, expect, it } from 'vitest'
import { afterFetch, afterFind, afterRead } from '../../../../src/features/calls/media/job-transitions.ts'
import type { JobRow } from '../../../../src/features/calls/media/store.ts'

const timing = { firstMs: 1000, maxMs: 30_000 }
const hourMs = 3_600_000

const job = (change: Partial<JobRow> = {}): JobRow => ({
  jobId: 'job_1',
  projectId: 'prj_1',
  chargeId: 'chg_1',
  provider: 'media_provider_a',
  providerId: 'up-1',
  prompt: 'a boat',
  seconds: 2,
  size: '480x270',
  testOnly: false,
  status: 'in_progress',
  progress: 40,
  errorCode: null,
  createdAt: 0,
  updatedAt: 0,
  finishedAt: null,
  deadlineAt: hourMs,
  cancelRequestedAt: null,
  polls: 0,
  misses: 0,
  silences: 0,
  contentTries: 0,
  content: null,
  version: 0,
  ...change,
})

const at = (now: number, random = 0.5) => ({ now, random })
const running = { kind: 'reported', status: 'in_progress', progress: 10 } as const

describe('the states of a job', () => {
  it('a job waits longer from poll to poll, but never longer than the limit', () => {
    const waits = Array.from({ length: 30 }, (_, polls) => {
      const decision = afterRead(job({ polls }), running, timing, at(0, 1))
      return decision.kind === 'keep' ? decision.update.nextPollAt : 0
    })
    expect(waits[0]).toBe(1000)
    expect(waits).toEqual([...waits].sort((a, b) => a - b))
    expect(waits.at(-1)).toBe(30_000)
  })

  it('a job never goes back: neither its status nor its progress', () => {
    const decision = afterRead(job(), { kind: 'reported', status: 'queued', progress: 10 }, timing, at(0))
    expect(decision).toMatchObject({ kind: 'keep', update: { status: 'in_progress', progress: 40 } })
  })

  it('an overdue job is polled slowly for a day, then needs a review', () => {
    expect(afterRead(job(), running, timing, at(hourMs))).toMatchObject({
      kind: 'keep',
      update: { nextPollAt: hourMs + 300_000 },
    })
    expect(afterRead(job(), { kind: 'no_response' }, timing, at(24 * hourMs))).toMatchObject({ kind: 'keep' })
    expect(afterRead(job(), { kind: 'no_response' }, timing, at(25 * hourMs))).toMatchObject({
      ...{ kind: 'end', status: 'unknown', charge: 'manual_review', errorCode: 'PROVIDER_JOB_OVERDUE' },
    })
    // A day overdue, and completed after all: it is fetched and charged.
    expect(afterRead(job(), { kind: 'reported', status: 'completed', progress: 100 }, timing, at(25 * hourMs))).toEqual(
      {
        kind: 'fetch',
      },
    )
  })

  it('two looks are at least two seconds apart, and the third that finds nothing releases', () => {
    const lost = job({ status: 'submitting', providerId: null, progress: null })
    for (const random of [0, 0.5, 1]) {
      const decision = afterFind(lost, { kind: 'nothing' }, timing, at(0, random))
      expect(decision.kind === 'keep' && decision.update.nextPollAt).toBeGreaterThanOrEqual(2000)
    }
    expect(afterFind({ ...lost, misses: 2 }, { kind: 'nothing' }, timing, at(0))).toMatchObject({
      ...{ kind: 'end', status: 'failed', charge: 'released' },
    })
    expect(afterFind(lost, { kind: 'cannot_say' }, timing, at(0))).toMatchObject({ charge: 'manual_review' })
  })

  it('404 counts only in a row', () => {
    const twice = job({ misses: 2 })
    expect(afterRead(twice, running, timing, at(0))).toMatchObject({ update: { misses: 0 } })
    expect(afterRead(twice, { kind: 'no_response' }, timing, at(0))).toMatchObject({ update: { misses: 2 } })
    expect(afterRead(twice, { kind: 'not_found' }, timing, at(0))).toMatchObject({ charge: 'manual_review' })
  })

  it('a full disk never ends a job', () => {
    for (const contentTries of [0, 2, 50])
      expect(afterFetch(job({ contentTries }), { kind: 'not_kept' }, timing, at(0))).toMatchObject({
        kind: 'keep',
        update: { status: 'in_progress', contentTries },
      })
  })
})
