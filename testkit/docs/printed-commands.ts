import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const read = (page: string) => readFileSync(join(root, page), 'utf8')

export interface Block {
  /** What follows the fence: `sh`, `sh a`. */
  readonly fence: string
  /** The name in the comment above it. */
  readonly name: string | undefined
  /** Without the indentation of a list. */
  readonly text: string
}

export interface PrintedCommands {
  readonly blocks: readonly Block[]
  /** Code within the text that a reader could type. */
  readonly inline: readonly string[]
}

const fenced = /(?:^<!-- ([a-z ]+) -->\n)?^( *)```(.*)\n([\s\S]*?)^ *```$/gm

/** Every command of these pages. */
export function printedCommands(...pages: readonly string[]): PrintedCommands {
  const text = pages.map(read).join('\n')
  const blocks = [...text.matchAll(fenced)].map(([, name, indentation, fence, lines]) => ({
    fence: fence!,
    name,
    text: lines!.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
  }))
  const spans = [...text.replaceAll(fenced, '').matchAll(/`([^`]+)`/g)].map(([, span]) => span!)
  return { blocks, inline: [...new Set(spans)].filter((span) => span.includes(' ') && !isNoCommand(span)) }
}

/** The commands of a block without here-documents, each with the lines that continue it. */
export const commandsOf = (block: string): string[] => block.trimEnd().split(/(?<!\\)\n/)

const monitoring = read('docs/monitoring.md')
/** Messages that docs/monitoring.md does not list: one is part of a line, one is PostgreSQL's. */
const otherMessages = [
  'PostgreSQL has no writable host',
  'recovery ended before configured recovery target was reached',
]

/** Whatever is not known to be something else is taken for a command. */
const isNoCommand = (span: string): boolean =>
  isSetting.test(span) || isHttp.test(span) || span.startsWith('--') || isMessage(span)

const isSetting = /^\w+ = /
const isHttp = /^(?:[A-Z][\w-]*: |(?:GET|POST) \/)/
const isMessage = (span: string) => monitoring.includes(`| \`${span}\``) || otherMessages.includes(span)
