import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { syncDirectory } from '../../../base/sync-directory.ts'
import { dayMs, hourMs } from '../../../base/time.ts'
import { timeoutSignal } from '../../../base/timers.ts'
import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import type { ContentFacts } from '../../../ledger/jobs.ts'
import type { ByteRange } from '../../../providers/upstream.ts'
import { createClipLength, isShort } from './clip-length.ts'
import { clipType } from './contract.ts'
import type { FetchResult } from './job-transitions.ts'
import type { ContentResult, MediaProvider } from './providers/provider.ts'
import { type ChargedJob, type JobRow, providerJob } from './store.ts'

interface ContentFilesOptions {
  /** Null keeps nothing: clips are checked and then fetched again for every reader. */
  readonly directory: string | null
  readonly maxBytes: number
  readonly contentDays: number
  readonly clock: () => number
  readonly onDiskFault: (error: unknown, context: { jobId: string }) => void
}

/** The clips that were fetched, one file each. A file has its name only once all of it is on disk. */
export function createContentFiles({ directory, maxBytes, contentDays, clock, onDiskFault }: ContentFilesOptions) {
  const pathOf = (jobId: string) => join(directory ?? '', `${jobId}.mp4`)

  /** Reads the clip to its end and checks it. Never more than a chunk of it is in memory. */
  async function keep(
    { jobId, seconds }: Pick<JobRow, 'jobId' | 'seconds'>,
    content: OpenedContent,
  ): Promise<FetchResult> {
    const part = directory === null ? null : `${pathOf(jobId)}.${process.pid}.part`
    let file: FileHandle | null = null
    try {
      if (directory !== null) {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        file = await open(part!, 'w', 0o600)
      }
      const checked = await copyChecked(content, file, { maxBytes, seconds })
      if (checked === null) return { kind: 'invalid' }
      if (file && part) {
        await file.sync()
        await file.close()
        file = null
        await rename(part, pathOf(jobId))
        await syncDirectory(directory!)
      }
      return { kind: 'fetched', content: { ...checked, expiresAt: clock() + contentDays * dayMs } }
    } catch (error) {
      // Only our own disk gets here: what the provider does wrong makes the clip invalid.
      onDiskFault(error, { jobId })
      return { kind: 'not_kept' }
    } finally {
      content.body.destroy()
      await file?.close().catch(() => {})
      if (part) await rm(part, { force: true }).catch(() => {})
    }
  }

  return {
    keep,
    /** Null if there is no such file of the expected length. */
    async find(jobId: string, bytes: number): Promise<((range: ByteRange) => Readable) | null> {
      if (directory === null) return null
      const found = await stat(pathOf(jobId)).catch(() => null)
      return found?.size === bytes ? ({ start, end }) => createReadStream(pathOf(jobId), { start, end }) : null
    },
    /** Removes the files of expired clips and what a crash left half-written. Returns how many. */
    async prune(): Promise<number> {
      if (directory === null) return 0
      const entries = await opendir(directory).catch(() => null)
      let removed = 0
      for await (const { name } of entries ?? []) {
        const path = join(directory, name)
        const keptMs = name.endsWith('.part') ? hourMs : contentDays * dayMs + hourMs
        const found = await stat(path).catch(() => null)
        if (!found?.isFile() || found.mtimeMs + keptMs > clock()) continue
        await rm(path, { force: true })
        removed += 1
      }
      return removed
    },
  }
}

export type ContentFiles = ReturnType<typeof createContentFiles>

type OpenedContent = Extract<ContentResult, { kind: 'opened' }>
type CheckedClip = Omit<ContentFacts, 'expiresAt'>

/** Null if the clip is not what a clip must be. Throws only if the file cannot be written. */
async function copyChecked(
  { contentType, length, body }: OpenedContent,
  file: FileHandle | null,
  { maxBytes, seconds }: { maxBytes: number; seconds: number },
): Promise<CheckedClip | null> {
  if (contentType.split(';')[0]!.trim().toLowerCase() !== clipType || (length ?? 0) > maxBytes) return null
  const hash = createHash('sha256')
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const clipLength = createClipLength()
  let bytes = 0
  for (;;) {
    const next = await chunks.next().catch(() => null)
    // The connection broke.
    if (next === null) return null
    if (next.done) break
    bytes += next.value.length
    if (bytes > maxBytes) return null
    clipLength.read(next.value)
    hash.update(next.value)
    await writeAll(file, next.value)
  }
  const isWhole = bytes > 0 && (length === null || bytes === length)
  const isPaidLength = !isShort(clipLength.seconds(), seconds)
  return isWhole && isPaidLength ? { contentType: clipType, bytes, sha256: hexOf(hash) } : null
}

const hexOf = (hash: Hash) => hash.digest('hex')

async function writeAll(file: FileHandle | null, chunk: Uint8Array): Promise<void> {
  for (let at = 0; file && at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
}

interface ReadContentDeps {
  readonly files: Pick<ContentFiles, 'find'>
  readonly providers: ReadonlyMap<string, MediaProvider>
  readonly clock: () => number
}

interface JobContent {
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
    const signal = timeoutSignal(maxStreamMs)
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
  // Leaving the rest unread is an error of the body, too, but not one of the part: a slow reader is still taking it.
  body.once('error', (error) => at <= end && part.destroy(error))
  part.once('close', () => body.destroy())
  return body.pipe(part)
}
