import { appendFile, open } from 'node:fs/promises'

/** A file of JSON lines that only the owner of the process can read: an outbox for local use, which delivers nothing. */
export interface OutboxFile {
  readonly append: (line: object) => Promise<void>
}

export const createOutboxFile = (path: string): OutboxFile => ({
  append: (line) => appendFile(path, `${JSON.stringify(line)}\n`, { mode: 0o600 }),
})

/** Old messages beyond this are not shown. */
const maxBytes = 4_194_304

/** The lines at the end of the file, newest first. */
export async function readOutboxFile<T>(path: string, limit: number): Promise<T[]> {
  const text = await readEnd(path).catch(() => '')
  const found: T[] = []
  for (const line of text.split('\n').reverse()) {
    if (found.length === limit) break
    try {
      found.push(JSON.parse(line) as T)
    } catch {
      // Empty, cut at the beginning, or still being written.
    }
  }
  return found
}

async function readEnd(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, maxBytes)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    const text = buffer.toString('utf8', 0, bytesRead)
    return size > length ? text.slice(text.indexOf('\n') + 1) : text
  } finally {
    await file.close()
  }
}
