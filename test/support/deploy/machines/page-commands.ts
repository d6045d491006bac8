import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export interface PrintedBlock {
  /** The machine that its fence names: `sh a`. */
  readonly on: 'a' | 'b' | 'both' | 'client' | 'build'
  readonly text: string
}

/** The command blocks of "Two machines" in docs/operations.md, by the heading above them. */
export function printedBlocks(): ReadonlyMap<string, readonly PrintedBlock[]> {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const section = /^## Two machines\n([\s\S]*?)(?=^## )/m.exec(page)![1]!
  const parts = section.split(/^### (.*)$/m).slice(1)
  const headings = parts.filter((_, index) => index % 2 === 0)
  return new Map(headings.map((heading, index) => [heading, blocksOf(parts[index * 2 + 1]!)]))
}

const blocksOf = (text: string): PrintedBlock[] =>
  [...text.matchAll(/^```sh (a|b|both|client|build)\n([\s\S]*?)^```$/gm)].map(([, on, commands]) => ({
    on: on as PrintedBlock['on'],
    text: commands!,
  }))
