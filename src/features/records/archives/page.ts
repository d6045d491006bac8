import { hourMs } from '../../../base/time.ts'
import type { ArchiveDirectory } from './directory.ts'
import {
  type ArchiveClaim,
  type ArchivedSlice,
  type ArchiveFile,
  type ArchiveLine,
  archiveFileName,
  type ClosingBalance,
  type Cut,
  chargeLine,
  entryLine,
  type FileChange,
  monthOf,
  nothingArchived,
  type PageSlice,
} from './records.ts'
import type { ArchiveStore } from './store.ts'

export interface PageDeps {
  readonly store: ArchiveStore
  readonly directory: ArchiveDirectory
  readonly host: string
  readonly claim: () => ArchiveClaim
  readonly onNewPart?: (file: ArchiveFile) => void
}

interface AddedCut {
  readonly projectId: string
  readonly before: ClosingBalance | null
  readonly cut: Cut
}

/** What is written to the files at once and removed from the store in one transaction: the starts of some ledgers. */
export function createPage(store: Pick<ArchiveStore, 'charges'>) {
  const slices: ArchivedSlice[] = []
  const months = new Map<string, ArchiveLine[]>()
  let entries = 0
  let charges = 0
  return {
    entries: () => entries,
    charges: () => charges,
    async add({ projectId, before, cut }: AddedCut): Promise<void> {
      if (cut.entries.length === 0) return
      const ended = cut.chargeIds.length === 0 ? [] : await store.charges(cut.chargeIds)
      const byId = new Map(ended.map((charge) => [charge.chargeId, charge]))
      let latest = (before ?? nothingArchived).archivedUntil
      for (const entry of cut.entries) {
        // Never the month of an earlier entry, so that the files have each ledger in order.
        latest = Math.max(latest, entry.at)
        const lines = linesOf(months, monthOf(latest))
        lines.push(entryLine(entry))
        const charge = entry.kind === 'settle' || entry.kind === 'release' ? byId.get(entry.chargeId!) : undefined
        if (charge) lines.push(chargeLine(charge))
      }
      const entryIds = cut.entries.map(({ entryId }) => entryId)
      slices.push({ projectId, before, after: cut.closing, charges: ended, entryIds })
      entries += cut.entries.length
      charges += ended.length
    },
    /** First the files, then the store: after a crash in between, the files are cut back to what the store recorded. */
    async write(deps: PageDeps): Promise<void> {
      const recorded = await deps.store.files()
      const files: FileChange[] = []
      for (const [month, lines] of [...months].sort()) files.push(await appendTo(month, lines, recorded, deps))
      await deps.store.commit({ slices, files }, deps.claim())
    },
  }
}

function linesOf(months: Map<string, ArchiveLine[]>, month: string): ArchiveLine[] {
  const lines = months.get(month) ?? []
  months.set(month, lines)
  return lines
}

/** Appends to the last part of a month, or to a new one if that is not on this machine. */
async function appendTo(
  month: string,
  lines: readonly ArchiveLine[],
  recorded: readonly ArchiveFile[],
  { directory, host, onNewPart }: PageDeps,
): Promise<FileChange> {
  const last = recorded.findLast((file) => file.month === month)
  const isHere = last !== undefined && (await directory.stateOf(last)) === 'intact'
  if (last && !isHere) onNewPart?.(last)
  const before = isHere ? last : null
  const part = before?.part ?? (last?.part ?? 0) + 1
  const fileName = before?.fileName ?? archiveFileName(month, part)
  const mark = await directory.append(fileName, before, lines)
  const newCharges = lines.filter(({ type }) => type === 'charge').length
  const entries = (before?.entries ?? 0) + lines.length - newCharges
  const charges = (before?.charges ?? 0) + newCharges
  const start = before?.bytes ?? 0
  return {
    before,
    after: { fileName, month, part, host, ...mark, entries, charges },
    page: { start, bytes: mark.bytes - start },
    ...contentOf(lines),
  }
}

/** Where single charges and entries will be looked for. */
function contentOf(lines: readonly ArchiveLine[]): Pick<FileChange, 'subjects' | 'slices'> {
  const subjects = new Set<string>()
  const slices = new Map<string, PageSlice>()
  for (const line of lines) {
    if (line.type !== 'entry') continue
    const { projectId, seq, chargeId, creditLotId } = line
    const subject = chargeId ?? creditLotId
    if (subject !== null) subjects.add(subject)
    const slice = slices.get(projectId)
    const latestAt = Math.max(slice?.latestAt ?? 0, Date.parse(line.enteredAt))
    slices.set(projectId, { projectId, firstSeq: slice?.firstSeq ?? seq, lastSeq: seq, latestAt })
  }
  return { subjects: [...subjects], slices: [...slices.values()] }
}

export type ArchiveFiles = Pick<ArchiveDirectory, 'path' | 'stateOf' | 'lines'>

/** A needed file is missing or damaged. */
export class ArchiveUnreadable extends Error {
  override readonly name = 'ArchiveUnreadable'
}

/** An entry is in the file of its month, or of the next one if that has begun for an entry before it. */
const maxTimestampSkewMs = hourMs

/** The files that can have entries of these times. */
export const filesBetween = (files: readonly ArchiveFile[], from: number, to: number): ArchiveFile[] => {
  const last = monthOf(Math.min(to, latestTime) + maxTimestampSkewMs)
  return files.filter(({ month }) => month >= monthOf(Math.max(from, 0)) && month <= last)
}

/** The end of the year 9999, after which months do not sort as text. */
const latestTime = Date.UTC(9999, 11, 31)

/** Checks a file against its record, then yields its lines. */
export async function* readArchive(files: ArchiveFiles, file: ArchiveFile): AsyncGenerator<ArchiveLine> {
  await assertReadable(files, file)
  yield* files.lines(file)
}

export async function assertReadable(files: ArchiveFiles, file: ArchiveFile): Promise<void> {
  const state = await files.stateOf(file)
  if (state === 'missing')
    throw new ArchiveUnreadable(
      `the archive file ${file.fileName} is not in ${files.path}; ${file.host} wrote it: copy it here, or restore it from a backup`,
    )
  if (state === 'damaged')
    throw new ArchiveUnreadable(
      `the archive file ${file.fileName} in ${files.path} is not as it was recorded; restore it from a backup`,
    )
}
