import { Readable } from 'node:stream'
import { Refusal } from '../contract/errors.ts'
import type { ContentFacts } from '../ledger/commands.ts'
import type { MediaProvider } from '../providers/media/media-provider.ts'
import type { ByteRange, ContentFiles } from './content-files.ts'
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

/** The clip of a job: from our own file, or streamed from the provider where we keep none. */
export function createReadContent({ files, providers, clock }: ReadContentDeps) {
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
    const signal = AbortSignal.timeout(maxStreamMs)
    const content = await providers.get(job.provider)?.open({ ...providerJob(job), id: job.providerId! }, signal)
    if (!content) throw new Refusal('PROVIDER_UNAVAILABLE')
    if (content.kind === 'failed') throw new Refusal(content.code)
    if (content.length !== null && content.length !== facts.bytes) {
      content.body.destroy()
      throw new Refusal('PROVIDER_CONTRACT_INVALID')
    }
    return Readable.from(slice(content.body, range))
  }
}

/** Ends early by throwing if the provider sends less than it promised, so that the client notices. */
async function* slice(body: Readable, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
    at += chunk.length
    if (part.length > 0) yield part
    if (at > end) return
  }
  throw new Error('the provider sent less than the whole clip')
}
