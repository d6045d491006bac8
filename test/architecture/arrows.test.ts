import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { circlesIn, factsOf, type ImportGraph, readSources } from './sources.ts'

const root = resolve(import.meta.dirname, '../..')

/** Which modules each module of src may import. Type imports count too. */
const serverArrows: Record<string, readonly string[]> = {
  contract: [],
  // What every module that judges a deadline needs to know about the event loop.
  'after-pending-input': [],
  // Signs what is sent, and checks what providers send.
  'webhook-signature': [],
  documents: ['contract'],
  audit: [],
  events: ['contract', 'work-loop'],
  ledger: ['contract', 'audit', 'events'],
  secrets: [],
  // How every worker looks for what is due.
  'work-loop': [],
  messages: ['contract', 'secrets', 'work-loop'],
  identity: ['contract', 'events', 'secrets', 'messages'],
  alerts: ['contract', 'secrets', 'messages', 'events', 'identity'],
  keys: ['contract', 'events'],
  reporting: ['contract'],
  // Where old charges and entries go.
  archives: ['contract', 'ledger'],
  orders: ['contract', 'ledger'],
  // Adapters implement ports that identity declares.
  providers: ['contract', 'identity', 'messages', 'after-pending-input', 'webhook-signature'],
  operations: ['contract', 'providers'],
  relay: ['contract', 'ledger', 'providers', 'operations'],
  // Everything that an operator can do, for the web and the command line.
  administration: ['contract', 'audit', 'events', 'ledger', 'secrets', 'identity', 'relay', 'media'],
  // A job is submitted and charged in steps that the relay knows too.
  media: ['contract', 'ledger', 'providers', 'relay', 'webhook-signature'],
  webhooks: ['contract', 'secrets', 'messages', 'events', 'webhook-signature', 'work-loop'],
  storage: [
    'contract',
    'archives',
    'audit',
    'administration',
    'events',
    'alerts',
    'ledger',
    'secrets',
    'messages',
    'identity',
    'keys',
    'orders',
    'relay',
    'operations',
    'media',
    'reporting',
    'webhooks',
    'after-pending-input',
  ],
  http: [
    'contract',
    'documents',
    'administration',
    'alerts',
    'events',
    'identity',
    'keys',
    'orders',
    'providers',
    'operations',
    'relay',
    'media',
    'reporting',
    'webhooks',
    'after-pending-input',
  ],
  // The documents state settings of this installation as `ServiceFacts`.
  config: ['contract', 'documents'],
  operator: [
    'contract',
    'archives',
    'audit',
    'administration',
    'events',
    'ledger',
    'secrets',
    'identity',
    'providers',
    'reporting',
    'storage',
    'config',
  ],
  app: ['*'],
  'command-line': ['*'],
  main: ['app', 'config', 'operator'],
}

/** The same for console/src, from the bottom up; `contract` and `features` are the server's. */
const consoleArrows: Record<string, readonly string[]> = {
  place: [],
  'hand-over': [],
  api: ['contract', 'features', 'place'],
  // Only the names of error and reason codes: every code needs a sentence in each language.
  i18n: ['contract', 'features', 'api'],
  format: ['contract', 'api'],
  design: ['contract', 'features', 'api', 'i18n', 'format'],
  'way-back': ['design'],
  pages: ['contract', 'api', 'i18n', 'format', 'design', 'place', 'hand-over', 'way-back'],
  shell: ['api', 'format', 'design', 'pages', 'place'],
  app: ['api', 'format', 'design', 'pages', 'shell', 'place'],
  // A console of its own, next to `pages`, `shell`, `app` and `main`.
  operator: ['features', 'api', 'i18n', 'format', 'design'],
  main: ['api', 'i18n', 'design', 'pages', 'app', 'place'],
}

/** Files beside the folders that form one module. */
const families: Record<string, RegExp> = { app: /^app(-|$)/ }

const server = readSources(join(root, 'src'))
const browser = readSources(join(root, 'console/src'))

describe('the modules of src', () => {
  it('are all declared here', () => {
    expect(undeclared(server.imports, serverArrows)).toEqual([])
  })

  it.each([...server.imports.keys()])('%s imports only what its module may', (file) => {
    expect(forbidden(server.imports, serverArrows, file)).toEqual([])
  })

  it('import only modules whose name can be read, but for the procedures that a SQLite worker is given', () => {
    expect(server.computedImports).toEqual(['storage/sqlite/worker.ts'])
  })

  it('have no import circle, types included', () => {
    expect(circlesIn(server.imports)).toEqual([])
  })

  it('declare each type name once', () => {
    const repeated = [...server.types].filter(([, files]) => files.length > 1)
    expect(Object.fromEntries(repeated)).toEqual({})
  })

  it('name a database engine only where one is chosen', () => {
    const mayNameEngines = ['storage', 'config', 'app', 'command-line']
    const others = [...server.imports.keys()].filter((file) => !mayNameEngines.includes(moduleOf(file)))
    expect(others.filter((file) => /sqlite|postgres/i.test(server.read(file)))).toEqual([])
  })

  it('have no file over 300 lines', () => {
    expect([...server.imports.keys()].filter((file) => server.read(file).split('\n').length > 300)).toEqual([])
  })
})

describe('the modules of the console', () => {
  it('are all declared here', () => {
    expect(undeclared(browser.imports, consoleArrows)).toEqual([])
  })

  it.each([...browser.imports.keys()])('%s imports only what its module may', (file) => {
    expect(forbidden(browser.imports, consoleArrows, file)).toEqual([])
  })

  it('import only modules whose name can be read', () => {
    expect(browser.computedImports).toEqual([])
  })

  it('have no import circle, types included', () => {
    expect(circlesIn(browser.imports)).toEqual([])
  })
})

describe.each([
  { name: 'src', sources: server, arrows: serverArrows },
  { name: 'the console', sources: browser, arrows: consoleArrows },
])('the arrows of $name', ({ sources, arrows }) => {
  it('go one way', () => {
    expect(circlesIn(new Map(Object.entries(arrows)))).toEqual([])
  })

  it('are all used', () => {
    const used = new Set(
      [...sources.imports].flatMap(([file, targets]) =>
        targets.map((target) => `${moduleOf(file)} -> ${moduleOf(target)}`),
      ),
    )
    const declared = Object.entries(arrows).flatMap(([module, targets]) =>
      targets.map((target) => `${module} -> ${target}`),
    )
    expect(declared.filter((arrow) => !arrow.endsWith('*') && !used.has(arrow))).toEqual([])
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

/** A folder, or the name of a file beside the folders: app.ts, app-modules.ts and app-routes.ts are the module `app`. */
function moduleOf(file: string): string {
  // The console imports the server's contract from ../../src.
  const [first = '', ...rest] = file.replace(/^(\.\.\/)+src\//, '').split('/')
  if (rest.length > 0) return first
  const name = first.replace(/\.tsx?$/, '')
  return Object.keys(families).find((family) => families[family]!.test(name)) ?? name
}

function undeclared(imports: ImportGraph, arrows: Record<string, readonly string[]>): string[] {
  return [...new Set([...imports.keys()].map(moduleOf))].filter((module) => !(module in arrows))
}

function forbidden(imports: ImportGraph, arrows: Record<string, readonly string[]>, file: string): string[] {
  const module = moduleOf(file)
  const allowed = arrows[module] ?? []
  return imports.get(file)!.filter((target) => {
    const other = moduleOf(target)
    return other !== module && !allowed.includes(other) && !allowed.includes('*')
  })
}
