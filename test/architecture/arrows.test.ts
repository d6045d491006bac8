import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circlesIn, factsOf, readSources } from './sources.ts'

const root = resolve(import.meta.dirname, '../..')

/** What every feature may import. */
const belowFeatures = [
  'base',
  'contract',
  'config',
  'ledger',
  'storage',
  'http',
  'documents',
  'providers',
  'relay',
  'ops',
]

/** Which modules each module of src may import, from the bottom up. Type imports count too. */
const serverArrows: Record<string, readonly string[]> = {
  base: [],
  contract: ['base'],
  config: ['base', 'contract'],
  ledger: ['base', 'contract'],
  storage: ['base', 'contract', 'ledger'],
  http: ['base', 'contract'],
  documents: ['config', 'contract', 'http'],
  providers: ['base', 'contract'],
  relay: ['base', 'contract', 'ledger', 'providers', 'storage'],
  ops: ['base', 'config', 'contract', 'http', 'ledger', 'providers', 'storage'],
  'features/messages': belowFeatures,
  'features/archives': belowFeatures,
  'features/events': belowFeatures,
  'features/accounts': [...belowFeatures, 'features/messages'],
  'features/second-factor': [...belowFeatures, 'features/accounts'],
  'features/orders': [...belowFeatures, 'features/accounts'],
  'features/payments': [...belowFeatures, 'features/accounts'],
  'features/simulated-payments': belowFeatures,
  'features/keys': [...belowFeatures, 'features/accounts'],
  'features/search': [...belowFeatures, 'features/accounts', 'features/reports'],
  'features/call-contents': [...belowFeatures, 'features/accounts'],
  'features/calls': [...belowFeatures, 'features/call-contents', 'features/keys'],
  'features/openai': [...belowFeatures, 'features/calls', 'features/keys'],
  'features/media': [...belowFeatures, 'features/accounts', 'features/calls', 'features/keys'],
  'features/alerts': [...belowFeatures, 'features/accounts', 'features/events', 'features/messages'],
  'features/webhooks': [...belowFeatures, 'features/accounts', 'features/events', 'features/messages'],
  'features/reports': [
    ...belowFeatures,
    ...['features/accounts', 'features/archives', 'features/keys', 'features/media', 'features/orders'],
  ],
  'features/transparency': [...belowFeatures, 'features/archives'],
  'features/receipts': [
    ...belowFeatures,
    ...['features/accounts', 'features/archives', 'features/reports', 'features/transparency'],
  ],
  'features/key-reads': [
    ...belowFeatures,
    ...['features/calls', 'features/keys', 'features/receipts', 'features/reports'],
  ],
  'features/mcp': [
    ...belowFeatures,
    ...['features/calls', 'features/key-reads', 'features/keys', 'features/media', 'features/openai'],
  ],
  // Reads the archives too, so that charges that were moved there are proven as well.
  reconcile: ['base', 'contract', 'ledger', 'ops', 'storage', 'features/archives', 'features/transparency'],
  // Operators look after everything that payers have.
  'features/operators': [
    ...belowFeatures,
    ...['features/accounts', 'features/archives', 'features/media', 'features/messages', 'features/orders'],
    ...['features/payments', 'features/reports', 'features/transparency', 'reconcile'],
  ],
  app: ['*'],
  cli: ['*'],
  main: ['app', 'config', 'ops'],
}

/** The same for console/src, from the bottom up; `contract` is the server's. */
const consoleArrows: Record<string, readonly string[]> = {
  place: [],
  'hand-over': [],
  api: ['contract', 'place'],
  // The sentences of the error codes, and the names of the reason codes: each needs one in both languages.
  i18n: ['contract'],
  format: ['contract', 'api'],
  design: ['contract', 'api', 'i18n', 'format'],
  'way-back': ['design'],
  pages: ['contract', 'api', 'i18n', 'format', 'design', 'place', 'hand-over', 'way-back'],
  shell: ['api', 'format', 'design', 'pages', 'place'],
  app: ['api', 'format', 'design', 'pages', 'shell', 'place'],
  // A console of its own, next to `pages`, `shell`, `app` and `main`.
  operator: ['contract', 'api', 'i18n', 'format', 'design'],
  main: ['api', 'i18n', 'design', 'pages', 'app', 'place'],
}

const server = readSources(join(root, 'src'))
const browser = readSources(join(root, 'console/src'))

describe.each([
  { name: 'src', sources: server, arrows: serverArrows },
  { name: 'the console', sources: browser, arrows: consoleArrows },
])('the modules of $name', ({ sources: { imports }, arrows }) => {
  it('are all declared here', () => {
    expect(new Set([...imports.keys()].map(moduleOf).filter((module) => !(module in arrows)))).toEqual(new Set())
  })

  it('import only what they may', () => {
    const forbidden = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => {
          const [module, other] = [moduleOf(file), moduleOf(target)]
          const allowed = arrows[module] ?? []
          return other !== module && !allowed.includes(other) && !allowed.includes('*')
        })
        .map((target) => `${file} -> ${target}`),
    )
    expect(forbidden).toEqual([])
  })

  it('have no import circle, types included', () => {
    expect(circlesIn(imports)).toEqual([])
  })

  it('have arrows that go one way', () => {
    expect(circlesIn(new Map(Object.entries(arrows)))).toEqual([])
  })

  it('use each of their arrows, but for what every feature may import', () => {
    const used = new Set(
      [...imports].flatMap(([file, targets]) => targets.map((target) => `${moduleOf(file)} -> ${moduleOf(target)}`)),
    )
    const declared = Object.entries(arrows).flatMap(([module, targets]) =>
      targets
        .filter((target) => !(module.startsWith('features/') && belowFeatures.includes(target)))
        .map((target) => `${module} -> ${target}`),
    )
    expect(declared.filter((arrow) => !arrow.endsWith('*') && !used.has(arrow))).toEqual([])
  })
})

describe('the sources of the server', () => {
  it('import only modules whose name can be read, but for the procedures that a SQLite worker is given', () => {
    expect(server.computedImports).toEqual(['storage/sqlite/worker.ts'])
  })

  it('declare each type name once', () => {
    const repeated = [...server.types].filter(([, files]) => files.length > 1)
    expect(Object.fromEntries(repeated)).toEqual({})
  })

  it('know a database engine only in storage', () => {
    const knowing = [...server.imports].filter(([file, targets]) => {
      return moduleOf(file) !== 'storage' && targets.some((target) => /^storage\/(sqlite|postgres)\//.test(target))
    })
    expect(knowing.map(([file]) => file)).toEqual([])
  })

  it('have no file over 300 lines', () => {
    expect([...server.imports.keys()].filter((file) => server.read(file).split('\n').length > 300)).toEqual([])
  })
})

describe('the console', () => {
  it('imports only modules whose name can be read', () => {
    expect(browser.computedImports).toEqual([])
  })

  it("knows of the server only what the contract says, the types of the features' operations, and the verifier", () => {
    expect(browser.read('api/gateway.ts')).toContain(
      "import type { ConsoleOperation } from '../../../src/app/features.ts'",
    )
    const foreign = [...browser.imports].flatMap(([file, targets]) =>
      targets
        .filter(
          (target) =>
            isServerFile(target) &&
            `${file} -> ${target}` !== 'api/gateway.ts -> ../../src/app/features.ts' &&
            !/src\/(contract|features\/([\w-]+\/((exports-|overview-|passkey-)?contract|(console-)?operations|common-passwords)|receipts\/page\/(merkle|seen|signed|verify)))\b/.test(
              target,
            ),
        )
        .map((target) => `${file} -> ${target}`),
    )
    expect(foreign).toEqual([])
  })
})

describe('the reader of sources', () => {
  it('sees every way to import a file', () => {
    const text = `
      import a from './static.ts'
      import type { B } from './type-only.ts'
      import './side-effect.ts'
      export * from './export-all.ts'
      export { c } from './export-named.ts'
      const d = () => import('./dynamic.ts')
      let e: import('./import-type.ts').E
      let f: typeof import('./typeof-import.ts')
      import g from 'a-package'`
    expect(factsOf('importer.ts', text)).toMatchObject({
      imported: [
        './static.ts',
        './type-only.ts',
        './side-effect.ts',
        './export-all.ts',
        './export-named.ts',
        './dynamic.ts',
        './import-type.ts',
        './typeof-import.ts',
      ],
      hasComputedImport: false,
    })
    expect(factsOf('importer.ts', 'await import(name)')).toMatchObject({ imported: [], hasComputedImport: true })
  })

  it('sees every declared type', () => {
    const text = 'interface A {}; export type B = string; export class C {}; enum D { E }; const F = 1'
    expect(factsOf('types.ts', text).declared).toEqual(['A', 'B', 'C', 'D'])
  })

  it('finds each import circle', () => {
    const graph = { a: ['b'], b: ['c'], c: ['a', 'd'], d: [], e: ['f'], f: ['e', 'd'] }
    expect(circlesIn(new Map(Object.entries(graph)))).toEqual([
      ['a', 'b', 'c'],
      ['e', 'f'],
    ])
  })
})

const isServerFile = (target: string) => /^(\.\.\/)+src\//.test(target)

/** A folder, a folder below `features`, or the name of a file beside the folders. All of the server is the console's contract. */
function moduleOf(file: string): string {
  if (isServerFile(file)) return 'contract'
  const [first = '', ...rest] = file.split('/')
  if (first === 'features') return `features/${rest[0]}`
  if (rest.length > 0) return first
  return first.replace(/\.tsx?$/, '')
}
