import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../src')

/** Which modules a room may import from. Types count too: an arrow is an arrow. */
const arrows: Record<string, readonly string[]> = {
  contract: [],
  // How the event loop turns, for whoever judges a deadline.
  'after-pending-input': [],
  documents: ['contract'],
  ledger: ['contract'],
  identity: ['contract'],
  keys: ['contract'],
  reporting: ['contract'],
  orders: ['contract', 'ledger'],
  // Adapters implement the ports that identity declares for them.
  providers: ['contract', 'identity', 'after-pending-input'],
  operations: ['contract', 'providers'],
  relay: ['contract', 'ledger', 'providers', 'operations'],
  storage: [
    'contract',
    'ledger',
    'identity',
    'keys',
    'orders',
    'relay',
    'operations',
    'reporting',
    'after-pending-input',
  ],
  http: [
    'contract',
    'documents',
    'ledger',
    'identity',
    'keys',
    'orders',
    'providers',
    'operations',
    'relay',
    'reporting',
    'after-pending-input',
  ],
  operator: ['contract', 'ledger', 'identity', 'providers', 'operations', 'relay', 'reporting', 'storage', 'config'],
  config: ['contract'],
  app: ['*'],
  'command-line': ['*'],
  main: ['app', 'config', 'storage'],
}

/** Words that only storage, the configuration and the constructors may use. */
const engineName = /sqlite|postgres/i
const mayNameEngines = new Set(['storage', 'config', 'app', 'command-line'])

const files = globSync('**/*.ts', { cwd: root }).sort()

/** A folder, or the stem of a file beside them: config.ts, config-schema.ts and config-variables.ts are one room. */
function roomOf(file: string): string {
  const [first = ''] = file.split('/')
  return first.endsWith('.ts') ? first.replace(/\.ts$/, '').replace(/^config-.*/, 'config') : first
}

function importsOf(file: string): string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'))
  const named = [...module.staticImports, ...module.staticExports.flatMap((statement) => statement.entries)]
  const sources = named.flatMap((entry) => (entry.moduleRequest ? [entry.moduleRequest.value] : []))
  return sources
    .filter((source) => source.startsWith('.'))
    .map((source) => relative(root, resolve(root, dirname(file), source)))
}

describe('the modules of src', () => {
  it('are all known', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in arrows))).toEqual([])
  })

  it.each(files)('%s imports only along the arrows', (file) => {
    const room = roomOf(file)
    const allowed = arrows[room]!
    const wrong = importsOf(file).filter((target) => {
      const other = roomOf(target)
      return other !== room && !allowed.includes(other) && !allowed.includes('*')
    })
    expect(wrong).toEqual([])
  })

  it('name a database engine only where one is chosen', () => {
    const others = files.filter((file) => !mayNameEngines.has(roomOf(file)))
    const naming = others.filter((file) => engineName.test(readFileSync(join(root, file), 'utf8')))
    expect(naming).toEqual([])
  })

  it('stay readable: no file over 300 lines', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 300)
    expect(long).toEqual([])
  })
})
