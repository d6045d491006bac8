import type { ArchiveDirectory } from './archive-directory.ts'
import { type ArchiveLine, monthOf } from './archive-lines.ts'
import type { ArchiveFile } from './ports.ts'

export type ArchiveFiles = Pick<ArchiveDirectory, 'path' | 'stateOf' | 'lines'>

/** A file that is needed is not in the directory, or not as it was recorded. */
export class ArchiveUnreadable extends Error {
  override readonly name = 'ArchiveUnreadable'
}

/** Entries stand in the file of their month, or of the next one if that has begun for an entry before them. */
const disorderMs = 3_600_000

/** The files that can have entries of these times. */
export const filesBetween = (files: readonly ArchiveFile[], from: number, to: number): ArchiveFile[] => {
  const last = monthOf(Math.min(to, latestTime) + disorderMs)
  return files.filter(({ month }) => month >= monthOf(Math.max(from, 0)) && month <= last)
}

/** The end of the year 9999, after which months do not sort as text. */
const latestTime = Date.UTC(9999, 11, 31)

/** The lines of a file, after it was compared with its record. */
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
