import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { newFolder, removeFolder } from './installation.ts'

/** Digest of all rows of a database; null if SQLite cannot read them, or an index disagrees with its table. */
export function digestOfRows(database: Buffer): string | null {
  const folder = newFolder()
  try {
    const copy = Buffer.from(database)
    // Without a log.
    copy.fill(1, 18, 20)
    const path = join(folder, 'copy.sqlite')
    writeFileSync(path, copy)
    const reader = new DatabaseSync(path, { readOnly: true })
    try {
      return digestAll(reader)
    } finally {
      reader.close()
    }
  } catch {
    return null
  } finally {
    removeFolder(folder)
  }
}

function digestAll(reader: DatabaseSync): string | null {
  const { integrity_check: finding } = reader.prepare('PRAGMA integrity_check(1)').get()!
  if (finding !== 'ok') return null
  const hash = createHash('sha1')
  const schema = reader.prepare('SELECT name, sql FROM sqlite_master ORDER BY name').all()
  hash.update(JSON.stringify(schema))
  for (const { name, sql } of schema) {
    if (!String(sql).startsWith('CREATE TABLE')) continue
    for (const row of reader.prepare(`SELECT * FROM "${name}"`).iterate()) hash.update(JSON.stringify(row))
  }
  return hash.digest('hex')
}
