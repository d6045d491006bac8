import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** One code block of a guide, and where its text goes. */
export interface GuideBlock {
  /** The guide and the line at which the block begins, as errors name it. */
  readonly at: string
  readonly change: 'new file' | 'insert after' | 'insert before' | 'replace'
  readonly path: string
  /** The whole line of the file that the change refers to; null for a new file. */
  readonly anchor: string | null
  readonly lines: readonly string[]
}

export interface Guide {
  readonly blocks: readonly GuideBlock[]
  /** The test files that the guide's command runs. */
  readonly tests: readonly string[]
}

/**
 * Reads a guide such as docs/add-a-feature.md. The sentence before each code block ends with what to do with it: "In `path`,
 * insert after `line`:", "insert before", "replace", or "New file:", whose first line is a comment with the path.
 */
export function readGuide(page: string): Guide {
  const text = readFileSync(join(root, page), 'utf8')
  const commands = [...text.matchAll(/`npx vitest run ([^`]+)`/g)].map(([, files]) => files!.split(/\s+/))
  if (commands.length !== 1) throw new Error(`${page} has ${commands.length} commands \`npx vitest run ...\`, not one`)
  return { blocks: readBlocks(page, text.split('\n')), tests: commands[0]! }
}

function readBlocks(page: string, lines: readonly string[]): GuideBlock[] {
  const blocks: GuideBlock[] = []
  for (let start = 0; start < lines.length; start++) {
    if (!/^\s*```/.test(lines[start]!)) continue
    const at = `${page}:${start + 1}`
    const end = lines.indexOf('```', start + 1)
    if (!/^```\w/.test(lines[start]!) || end < 0)
      throw new Error(`${at}: a block must start at the margin, name its language and be closed`)
    blocks.push(blockOf(at, lines.slice(0, start).join('\n'), lines.slice(start + 1, end)))
    start = end
  }
  if (blocks.length === 0) throw new Error(`${page} has no code blocks`)
  return blocks
}

function blockOf(at: string, before: string, lines: readonly string[]): GuideBlock {
  const [, path, change, anchor] =
    /\bIn\s`([^`\n]+)`,\s(insert\safter|insert\sbefore|replace)\s`([^`\n]+)`:\n\n$/.exec(`${before}\n`) ?? []
  if (path !== undefined) {
    return { at, change: change!.replace('\n', ' ') as GuideBlock['change'], path, anchor: anchor!, lines }
  }
  const [, named] = /^\/\/ (\S+)$/.exec(lines[0] ?? '') ?? []
  if (!/\bNew\sfile:\n\n$/.test(`${before}\n`) || named === undefined) {
    throw new Error(
      `${at}: before a block comes "In \`path\`, insert after (insert before, replace) \`line\`:", or "New file:" with the path in its first line`,
    )
  }
  return { at, change: 'new file', path: named, anchor: null, lines: lines.slice(1) }
}

/** Makes the change of a block in a copy of the project. */
export function applyBlock(copy: string, { at, change, path, anchor, lines }: GuideBlock): void {
  const file = join(copy, path)
  if (anchor === null) {
    if (existsSync(file)) throw new Error(`${at}: ${path} is not a new file`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${lines.join('\n')}\n`)
    return
  }
  if (!existsSync(file)) throw new Error(`${at}: there is no ${path}`)
  const old = readFileSync(file, 'utf8').split('\n')
  const places = old.flatMap((line, place) => (line === anchor ? [place] : []))
  if (places.length !== 1) throw new Error(`${at}: ${path} has this line ${places.length} times, not once:\n${anchor}`)
  const start = change === 'insert after' ? places[0]! + 1 : places[0]!
  writeFileSync(file, old.toSpliced(start, change === 'replace' ? 1 : 0, ...lines).join('\n'))
}
