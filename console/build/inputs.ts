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

/** What a build was made from. */
export interface Stamp {
  readonly hash: string
  readonly bundled: readonly string[]
}

export function readStamp(directory: string): Stamp | undefined {
  const path = join(directory, '.stamp')
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
