import { existsSync, globSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { applyBlock, type GuideBlock, readGuide } from '../../testkit/guides/guide.ts'
import { createScratchCopy, type ScratchCopy } from '../../testkit/guides/scratch-copy.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = globSync('docs/add-*.md', { cwd: root }).sort()

/** Two guides take the next version of the schema; in one copy, the feature's migration is the one after. */
const renumbered = (block: GuideBlock): GuideBlock => ({
  ...block,
  lines: block.lines.map((line) => line.replace(/^ {4}(\d+),$/, (_, version) => `    ${Number(version) + 1},`)),
})

describe('the guides', () => {
  let copy: ScratchCopy
  beforeAll(() => {
    copy = createScratchCopy({ TEST_DATABASE_URL: inject('postgresUrl') })
  })
  afterAll(() => copy.remove())

  // The compiler takes most of the time, so all guides share one copy.
  it('the guides can be followed: their blocks fit, compile and pass their tests', { timeout: 600_000 }, async () => {
    expect(pages).toHaveLength(5)
    const guides = pages.map(readGuide)
    for (const { blocks } of guides) {
      for (const block of blocks) {
        const isSecondMigration = block.at.startsWith('docs/add-a-feature.md') && block.path.endsWith('/migrations.ts')
        applyBlock(copy.folder, isSecondMigration ? renumbered(block) : block)
      }
    }
    // `npm test` lints the other files; the pages, which are no code, it leaves out.
    const changed = new Set(guides.flatMap(({ blocks }) => blocks.map(({ path }) => path)))
    await copy.run('node', 'build/check.ts', ...[...changed].filter((path) => !path.endsWith('.md')))
    // No test of a guide opens a page, and bundling them would take longer than the tests.
    writeFileSync(join(copy.folder, 'console/build/build.ts'), '')
    const tests = guides.flatMap((guide) => guide.tests)
    expect(tests.filter((file) => !existsSync(join(copy.folder, file)))).toEqual([])
    await copy.run('vitest', 'run', '--project', 'unit', '--maxWorkers', '1', ...tests)
  })
})
