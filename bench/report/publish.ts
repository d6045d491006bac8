import { readFile, writeFile } from 'node:fs/promises'
import { arch } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Both kinds of machine have a page and a section of their own. */
export const resultName = arch() === 'x64' ? 'latest-x64' : 'latest-arm64'

const results = new URL('../results/', import.meta.url)
const page = new URL('../../docs/performance.md', import.meta.url)

export interface Publication {
  /** Name of the files, and of the section in the page. */
  readonly name: typeof resultName | 'scale' | 'console'
  readonly markdown: string
  readonly chart?: string
  /** What docs/performance.md shows of it. */
  readonly summary: string
  /** A trial run must not replace carefully measured figures. */
  readonly isQuick: boolean
}

/** Writes the result files, and the latest figures into the page that explains them. */
export async function publish({ name, markdown, chart, summary, isQuick }: Publication): Promise<string> {
  const stem = isQuick ? `quick-${name}` : name
  const report = new URL(`${stem}.md`, results)
  await writeFile(report, isQuick ? markdown.replaceAll(`(${name}.svg)`, `(${stem}.svg)`) : markdown)
  if (chart !== undefined) await writeFile(new URL(`${stem}.svg`, results), chart)
  if (!isQuick) await writeFile(page, replaceSection(await readFile(page, 'utf8'), name, summary))
  return fileURLToPath(report)
}

function replaceSection(text: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name}: written by the benchmark -->`, `<!-- /${name} -->`]
  const [start, end] = [text.indexOf(open), text.indexOf(close)]
  if (start < 0 || end < start) throw new Error(`docs/performance.md has no section ${open}`)
  return `${text.slice(0, start)}${open}\n\n${content}\n\n${text.slice(end)}`
}
