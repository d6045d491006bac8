import { type Readable, Transform } from 'node:stream'
import { type ErrorCode, Refusal } from '../contract/errors.ts'
import type { ContentFacts } from '../ledger/jobs.ts'
import type { ByteRange } from '../providers/http-call.ts'
import type { ContentResult, MediaProvider } from '../providers/media/media-provider.ts'
import type { ContentFiles } from './content-files.ts'
import type { ChargedJob } from './ports.ts'
import { providerJob } from './provider-job.ts'

export interface ReadContentDeps {
  readonly files: Pick<ContentFiles, 'find'>
  readonly providers: ReadonlyMap<string, MediaProvider>
  readonly clock: () => number
}

export interface JobContent {
  readonly facts: ContentFacts
  /** Opens a part of the clip. Throws a `Refusal` if the provider no longer has it. */
  readonly open: (range: ByteRange) => Promise<Readable>
}

const maxStreamMs = 600_000
const maxRemembered = 1000

/** The clip of a job: from our own file, or streamed from the provider where we keep none. */
export function createReadContent({ files, providers, clock }: ReadContentDeps) {
  /** Clips of which the provider sends no parts, only the whole. */
  const wholeOnly = new Set<string>()

  return (job: ChargedJob): JobContent => {
    const { content: facts } = job
    if (!facts) throw new Refusal('JOB_NOT_FINISHED')
    if (facts.expiresAt <= clock()) throw new Refusal('CONTENT_EXPIRED')
    return {
      facts,
      async open(range) {
        const file = await files.find(job.jobId, facts.bytes)
        return file ? file(range) : fromProvider(job, facts, range)
      },
    }
  }

  async function fromProvider(job: ChargedJob, facts: ContentFacts, range: ByteRange): Promise<Readable> {
    if (range.start > 0 && wholeOnly.has(job.jobId)) throw new Refusal('RANGE_NOT_SATISFIABLE')
    const signal = AbortSignal.timeout(maxStreamMs)
    const content = await providers.get(job.provider)?.open({ ...providerJob(job), id: job.providerId! }, signal, range)
    if (!content) throw new Refusal('PROVIDER_UNAVAILABLE')
    if (content.kind === 'failed') throw new Refusal(content.code)
    if (!content.isPart && range.end - range.start + 1 < facts.bytes) rememberWhole(job.jobId)
    const fault = faultOf(content, facts, range)
    if (fault) {
      content.body.destroy()
      throw new Refusal(fault)
    }
    const offset = content.isPart ? range.start : 0
    return slice(content.body, { start: range.start - offset, end: range.end - offset })
  }

  function rememberWhole(jobId: string): void {
    wholeOnly.add(jobId)
    if (wholeOnly.size > maxRemembered) wholeOnly.delete(wholeOnly.keys().next().value!)
  }
}

function faultOf(
  { length, isPart }: Extract<ContentResult, { kind: 'opened' }>,
  { bytes }: ContentFacts,
  { start }: ByteRange,
): ErrorCode | null {
  if (length !== null && length !== bytes) return 'PROVIDER_CONTRACT_INVALID'
  // Reading up to where the part begins would cost the provider and us as much as the whole.
  return isPart || start === 0 ? null : 'RANGE_NOT_SATISFIABLE'
}

/** Fails if the provider sends less than it promised, so that the client notices. Closes the body when the reader leaves. */
function slice(body: Readable, { start, end }: ByteRange): Readable {
  let at = 0
  const part = new Transform({
    transform(chunk: Buffer, _, done) {
      const wanted = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
      at += chunk.length
      if (at > end) body.unpipe(part).destroy()
      done(null, wanted)
      if (at > end) part.end()
    },
    flush: (done) => done(at > end ? null : new Error('the provider sent less than the whole clip')),
  })
  body.once('error', (error) => part.destroy(error))
  part.once('close', () => body.destroy())
  return body.pipe(part)
}
