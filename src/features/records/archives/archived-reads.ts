import { Refusal } from '../../../contract/errors.ts'
import type { Engine, Reader } from '../../../storage/engine.ts'
import type { ArchiveDirectory } from './directory.ts'
import type { ArchivedCharge, ArchivedEntry, ArchiveLine } from './records.ts'
import { closingOf } from './store.ts'

interface PagePlace {
  readonly fileName: string
  readonly start: number
  readonly bytes: number
}

interface SlicePlace extends PagePlace {
  readonly firstSeq: number
  readonly lastSeq: number
}

export interface ArchivedSubject {
  readonly entries: readonly ArchivedEntry[]
  /** Null for a lot, and for a charge whose end is still in the store. */
  readonly charge: ArchivedCharge | null
}

export interface ArchivedReadDeps {
  readonly engine: Pick<Engine, 'read'>
  readonly directory: Pick<ArchiveDirectory, 'page'>
  /** A page is missing on this machine, or damaged. */
  readonly onUnreadable: (fileName: string, error: unknown) => void
}

export type ArchivedReads = ReturnType<typeof createArchivedReads>

/** A reservation, a review and an end may be in three pages. */
const maxPages = 8
/** Pages that are unpacked at a time. */
const atOnce = 4
const retryAfterSeconds = 2

/** Reads single charges and entries from the archive files of this machine, without reading whole files. */
export function createArchivedReads({ engine, directory, onUnreadable }: ArchivedReadDeps) {
  const lines = createPageReader({ directory, onUnreadable })

  return {
    /** Null if nothing of it is archived, or the file is not here. */
    async subject(projectId: string, subjectId: string): Promise<ArchivedSubject | null> {
      const places = await engine.read((tx) => tx.all<PagePlace>(pagesOfSubject, [subjectId, maxPages]))
      const entries: ArchivedEntry[] = []
      let charge: ArchivedCharge | null = null
      for (const place of places) {
        const page = await lines(place)
        if (!page) return null
        for (const line of page) {
          if (line.projectId !== projectId) continue
          if (line.type === 'charge' && line.chargeId === subjectId) charge = line
          if (line.type === 'entry' && (line.chargeId ?? line.creditLotId) === subjectId) entries.push(line)
        }
      }
      return entries.length === 0 ? null : { entries: entries.sort((a, b) => a.seq - b.seq), charge }
    },
    /** Whose charge it was; null if it is not archived, or the file is not here. */
    async ownerOf(chargeId: string): Promise<ChargeOwner | null> {
      const place = await engine.read((tx) => tx.get<PagePlace>(pagesOfSubject, [chargeId, 1]))
      return (place && (await lines(place))?.flatMap((line) => ownerIn(line, chargeId))[0]) ?? null
    },
    /** Entries of a ledger from `seq` to the end of their page; null if they are not archived, or the file is not here. */
    async entriesFrom(projectId: string, seq: number): Promise<readonly ArchivedEntry[] | null> {
      const slice = await engine.read((tx) => tx.get<SlicePlace>(sliceWith, [projectId, seq]))
      const page = slice && slice.lastSeq >= seq ? await lines(slice) : null
      return page && entriesIn(page, projectId, seq)
    },
    /**
     * The number of the first archived entry whose time is not before a moment; null if there is none, undefined if that is not
     * known, because entries before it were archived without a record of their page or the file is not here.
     */
    async firstNotBefore(projectId: string, at: number): Promise<number | null | undefined> {
      const found = await engine.read(async (tx) => ({
        slice: await tx.get<SlicePlace>(firstSliceNotBefore, [projectId, at]),
        isWhole: await isIndexedFromTheStart(tx, projectId),
      }))
      if (!found.isWhole) return undefined
      if (!found.slice) return null
      const page = await lines(found.slice)
      if (!page) return undefined
      return entriesIn(page, projectId, found.slice.firstSeq).find(({ enteredAt }) => Date.parse(enteredAt) >= at)?.seq
    },
    archived: (projectId: string): Promise<number> =>
      engine.read(async (tx) => (await closingOf(tx, projectId))?.seq ?? 0),
  }
}

/** Null if the page cannot be read here. */
function createPageReader({ directory, onUnreadable }: Omit<ArchivedReadDeps, 'engine'>) {
  let reading = 0

  return async function lines(place: PagePlace): Promise<readonly ArchiveLine[] | null> {
    if (reading >= atOnce) throw new Refusal('RATE_LIMITED', { retryAfterSeconds })
    reading += 1
    try {
      return await directory.page(place)
    } catch (error) {
      onUnreadable(place.fileName, error)
      return null
    } finally {
      reading -= 1
    }
  }
}

interface ChargeOwner {
  readonly projectId: string
  readonly operation: string
}

const ownerIn = ({ projectId, operation, ...line }: ArchiveLine, chargeId: string): ChargeOwner[] =>
  line.chargeId === chargeId && operation !== null ? [{ projectId, operation }] : []

const entriesIn = (page: readonly ArchiveLine[], projectId: string, from: number): ArchivedEntry[] =>
  page.filter((line) => line.type === 'entry' && line.projectId === projectId && line.seq >= from) as ArchivedEntry[]

const placeOf = 'p.file_name AS "fileName", p.start_byte AS "start", p.bytes'

const pagesOfSubject = `SELECT ${placeOf} FROM archived_subjects s JOIN archive_pages p ON p.page_id = s.page_id
  WHERE s.subject_id = $1 ORDER BY p.page_id LIMIT $2`

const selectSlices = `SELECT ${placeOf}, s.first_seq AS "firstSeq", s.last_seq AS "lastSeq"
  FROM archived_slices s JOIN archive_pages p ON p.page_id = s.page_id`

const sliceWith = `${selectSlices} WHERE s.project_id = $1 AND s.first_seq <= $2 ORDER BY s.first_seq DESC LIMIT 1`

const firstSliceNotBefore = `${selectSlices} WHERE s.project_id = $1 AND s.latest_at >= $2 ORDER BY s.first_seq LIMIT 1`

/** Versions before this one archived without recording pages. */
async function isIndexedFromTheStart(tx: Reader, projectId: string): Promise<boolean> {
  const row = await tx.get<{ first: number | null }>(
    'SELECT MIN(first_seq) AS first FROM archived_slices WHERE project_id = $1',
    [projectId],
  )
  return row?.first === 1
}
