import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { clipType } from '../contract/media/job.ts'
import type { ContentFacts } from '../ledger/jobs.ts'
import type { ByteRange } from '../providers/http-call.ts'
import type { ContentResult } from '../providers/media/media-provider.ts'
import { createClipLength, isShort } from './clip-length.ts'
import type { FetchResult } from './job-machine.ts'
import type { JobRow } from './ports.ts'

export interface ContentFilesOptions {
  /** Null keeps nothing: clips are checked and then fetched again for every reader. */
  readonly directory: string | null
  readonly maxBytes: number
  readonly contentDays: number
  readonly clock: () => number
  readonly onDiskFault: (error: unknown, context: { jobId: string }) => void
}

const dayMs = 86_400_000
const hourMs = 3_600_000

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

/** Makes the new name durable too. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}
