import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A hash of the content of all files that match the patterns. */
export function stampOf(root: string, patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of globSync(patterns, { cwd: root }).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('base64url')
}

export function readStamp(directory: string): string | undefined {
  const path = join(directory, '.stamp')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
