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
  'operator-kit',
  'ops',
]

/** A wing imports only wings of a lower floor. */
const wings = [
  { name: 'features/identity', floor: 1 },
  { name: 'features/notifications', floor: 2 },
  { name: 'features/billing', floor: 2 },
  { name: 'features/calls', floor: 2 },
  { name: 'features/records', floor: 3 },
  { name: 'features/programs', floor: 4 },
  { name: 'features/operators', floor: 4 },
]

const wingsBelow = ({ floor }: (typeof wings)[number]): string[] =>
  wings.filter((wing) => wing.floor < floor).map(({ name }) => name)

/** Which modules each module of src may import, from the bottom up. Type imports count too. */
const serverArrows: Record<string, readonly string[]> = {
  base: [],
  contract: ['base'],
  config: ['base', 'contract'],
  ledger: ['base', 'contract'],
  storage: ['base', 'contract', 'ledger'],
  http: ['base', 'contract'],
  documents: ['base', 'config', 'contract', 'http'],
  providers: ['base', 'contract'],
  relay: ['base', 'contract', 'ledger', 'providers', 'storage'],
  'operator-kit': ['base', 'contract', 'http', 'ledger', 'storage'],
  ops: ['base', 'config', 'contract', 'http', 'ledger', 'operator-kit', 'providers', 'storage'],
  ...Object.fromEntries(wings.map((wing) => [wing.name, [...belowFeatures, ...wingsBelow(wing)]])),
  app: ['*'],
  cli: ['*'],
  main: ['app', 'config', 'ops'],
}

/** The same for console/src, from the bottom up; `contract` is the server's, `sdk` the verifier of receipts. */
const consoleArrows: Record<string, readonly string[]> = {
  installation: [],
  handoff: [],
  api: ['contract', 'sdk', 'installation'],
  // The sentences of the error codes, and the names of the reason codes: each needs one in both languages.
  i18n: ['contract'],
  format: ['contract', 'api'],
  design: ['contract', 'api', 'i18n', 'format'],
  'back-navigation': ['design'],
  pages: ['contract', 'sdk', 'site', 'api', 'i18n', 'format', 'design', 'installation', 'handoff', 'back-navigation'],
  shell: ['contract', 'api', 'format', 'design', 'pages', 'installation'],
  app: ['api', 'format', 'design', 'pages', 'shell', 'installation'],
  // A console of its own, next to `pages`, `shell`, `app` and `main`.
  operator: ['contract', 'api', 'i18n', 'format', 'design'],
  main: ['api', 'i18n', 'design', 'pages', 'app', 'installation'],
}

const server = readSources(join(root, 'src'))
const browser = readSources(join(root, 'console/src'))
const site = readSources(join(root, 'console/site'))
const sdk = readSources(join(root, 'sdk/src'))

describe.each([
  { name: 'src', sources: server, arrows: serverArrows },
  { name: 'the console', sources: browser, arrows: consoleArrows },
])('the modules of $name', ({ sources: { imports }, arrows }) => {
  it('modules are all declared here', () => {
    expect(new Set([...imports.keys()].map(moduleOf).filter((module) => !(module in arrows)))).toEqual(new Set())
  })

  it('modules import only what they may', () => {
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

  it('modules have no import circle, types included', () => {
    expect(circlesIn(imports)).toEqual([])
  })

  it('modules have arrows that go one way', () => {
    expect(circlesIn(new Map(Object.entries(arrows)))).toEqual([])
  })

  it('modules use each of their arrows, but for what every wing may import', () => {
    const used = new Set(
      [...imports].flatMap(([file, targets]) => targets.map((target) => `${moduleOf(file)} -> ${moduleOf(target)}`)),
    )
    const declared = Object.entries(arrows).flatMap(([module, targets]) =>
      targets
        .filter(
          (target) =>
            !(module.startsWith('features/') && (belowFeatures.includes(target) || target.startsWith('features/'))),
        )
        .map((target) => `${module} -> ${target}`),
    )
    expect(declared.filter((arrow) => !arrow.endsWith('*') && !used.has(arrow))).toEqual([])
  })
})

describe('the sources of the server', () => {
  it('the sources of the server import only modules whose name can be read, but for the built pages and the procedures of a SQLite worker', () => {
    expect(server.computedImports).toEqual(['documents/site.ts', 'storage/sqlite/worker.ts'])
  })

  it('the sources of the server declare each type name once', () => {
    const repeated = [...server.types].filter(([, files]) => files.length > 1)
    expect(Object.fromEntries(repeated)).toEqual({})
  })

  it('the sources of the server open connections to other servers only in base/network.ts, so that all are sent once', () => {
    const opening = [...server.imports.keys()].filter((file) =>
      /^import (?!type\b).*'undici'$|require\('undici'\)|\bfetch\(/m.test(server.read(file)),
    )
    expect(opening).toEqual(['base/network.ts'])
  })

  it('the sources of the server know a database engine only in storage', () => {
    const knowing = [...server.imports].filter(([file, targets]) => {
      return moduleOf(file) !== 'storage' && targets.some((target) => /^storage\/(sqlite|postgres)\//.test(target))
    })
    expect(knowing.map(([file]) => file)).toEqual([])
  })
})

describe('the console', () => {
  it('the console imports only modules whose name can be read', () => {
    expect(browser.computedImports).toEqual([])
  })

  it("the console knows of the server only what the contract says and the types of the features' operations", () => {
    expect(browser.read('api/gateway.ts')).toContain(
      "import type { ConsoleOperation } from '../../../src/app/features.ts'",
    )
    expect(browser.read('operator/api/client.ts')).toContain(
      "import type { OperatorApiOperation } from '../../../../src/app/features.ts'",
    )
    const foreign = [...browser.imports].flatMap(([file, targets]) =>
      targets
        .filter(
          (target) =>
            isServerFile(target) &&
            `${file} -> ${target}` !== 'api/gateway.ts -> ../../src/app/features.ts' &&
            `${file} -> ${target}` !== 'operator/api/client.ts -> ../../src/app/features.ts' &&
            !/src\/(contract|operator-kit\/(roles|own-reasons)|features\/([\w-]+\/)+((exports-|overview-|passkey-)?contract|(console-)?operations|common-passwords))\b/.test(
              target,
            ),
        )
        .map((target) => `${file} -> ${target}`),
    )
    expect(foreign).toEqual([])
  })
})

describe('the public pages', () => {
  it('the public pages are made from the contract, what the documents share and the verifier, and from nothing else', () => {
    const foreign = [...site.imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => target.startsWith('..') && !/^(\.\.\/)+(src\/(contract|documents)|sdk\/src)\//.test(target))
        .map((target) => `${file} -> ${target}`),
    )
    expect(foreign).toEqual([])
    expect(circlesIn(site.imports)).toEqual([])
  })
})

describe('the SDK', () => {
  it('the SDK takes nothing from the server but the types of the contract', () => {
    const foreign = [...sdk.imports].filter(([, targets]) => targets.some((target) => target.startsWith('..')))
    expect(foreign.map(([file]) => file)).toEqual(['contract.ts'])
    expect(sdk.read('contract.ts')).not.toMatch(/^import (?!type )/m)
  })
})

describe('the reader of sources', () => {
  it('the reader of sources sees every way to import a file', () => {
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

  it('the reader of sources sees every declared type', () => {
    const text = 'interface A {}; export type B = string; export class C {}; enum D { E }; const F = 1'
    expect(factsOf('types.ts', text).declared).toEqual(['A', 'B', 'C', 'D'])
  })

  it('the reader of sources finds each import circle', () => {
    const graph = { a: ['b'], b: ['c'], c: ['a', 'd'], d: [], e: ['f'], f: ['e', 'd'] }
    expect(circlesIn(new Map(Object.entries(graph)))).toEqual([
      ['a', 'b', 'c'],
      ['e', 'f'],
    ])
  })
})

const isServerFile = (target: string) => /^(\.\.\/)+src\//.test(target)

/** A folder, a wing below `features`, the name of a file next to the folders, or another package. All of the server is the console's contract. */
function moduleOf(file: string): string {
  if (isServerFile(file)) return 'contract'
  const [, otherPackage] = /^(?:\.\.\/)+(site|sdk)\//.exec(file) ?? []
  if (otherPackage) return otherPackage
  const [first = '', ...rest] = file.split('/')
  if (first === 'features') return `features/${rest[0]}`
  if (rest.length > 0) return first
  return first.replace(/\.tsx?$/, '')
}
