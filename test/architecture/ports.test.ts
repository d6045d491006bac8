import { join, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { readSources, type SyntaxNode, visit } from './sources.ts'

const timerNames = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
])
const randomNames = new Set([
  'randomBytes',
  'pseudoRandomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
  'randomUUID',
  'getRandomValues',
])
const machineMembers = new Set([
  'Date.now',
  'performance.now',
  'performance.timeOrigin',
  'process.hrtime',
  'Math.random',
  'AbortSignal.timeout',
])
const machineModules = /^(node:)?(timers|timers\/promises|perf_hooks)$/

/** Who may use the machine itself, what of it, and why. */
const exceptions = [
  { files: /^base\/clock\.ts$/, uses: ['Date.now', 'performance.now'], reason: 'the port of time' },
  {
    files: /^base\/timers\.ts$/,
    uses: ['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate'],
    reason: 'the port of timers',
  },
  { files: /^base\/randomness\.ts$/, uses: ['randomFillSync'], reason: 'the port of randomness' },
  {
    files: /^http\/transport\//,
    uses: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'],
    reason: 'timers of real sockets, which no simulation has',
  },
]

describe('time, timers and randomness', () => {
  const server = readSources(join(resolve(import.meta.dirname, '../..'), 'src'))
  const used = [...server.imports.keys()].flatMap((file) =>
    machineUses(file, server.read(file)).map((use) => ({ file, use })),
  )
  const covers = (exception: (typeof exceptions)[number], file: string, use: string) =>
    exception.files.test(file) && exception.uses.includes(use)

  it('time, timers and randomness come from the ports alone, but for the exceptions', () => {
    expect(used.filter(({ file, use }) => !exceptions.some((exception) => covers(exception, file, use)))).toEqual([])
  })

  it('time, timers and randomness need each of the exceptions', () => {
    const unused = exceptions.flatMap((exception) =>
      exception.uses
        .filter((use) => !used.some((found) => found.use === use && covers(exception, found.file, use)))
        .map((use) => `${use}: ${exception.reason}`),
    )
    expect(unused).toEqual([])
  })
})

describe('the finder of machine time, timers and randomness', () => {
  it.each([
    ['setTimeout(work, 5)', 'setTimeout'],
    ['const later = setInterval', 'setInterval'],
    ['globalThis.setImmediate(work)', 'setImmediate'],
    ["import { setTimeout as delay } from 'node:timers/promises'", 'node:timers/promises'],
    ["const { scheduler } = await import('timers/promises')", 'timers/promises'],
    ['const clock = Date.now', 'Date.now'],
    ["Date['now']()", 'Date.now'],
    ['const { now } = Date', 'Date.now'],
    ['globalThis.performance.now()', 'performance.now'],
    ['new Date()', 'new Date()'],
    ['new Date', 'new Date()'],
    ['Date()', 'new Date()'],
    ['process.hrtime.bigint()', 'process.hrtime'],
    ['Math.random()', 'Math.random'],
    ['AbortSignal.timeout(5)', 'AbortSignal.timeout'],
    ["import { randomBytes as bytes } from 'node:crypto'", 'randomBytes'],
    ["import * as crypto from 'node:crypto'; crypto.randomInt(5)", 'randomInt'],
    ['crypto.randomUUID()', 'randomUUID'],
  ])('the finder of machine time, timers and randomness sees %s', (text, use) => {
    expect(new Set(machineUses('a.ts', text))).toEqual(new Set([use]))
  })

  it.each([
    "import { randomBytes } from '../base/randomness.ts'; randomBytes(5)",
    "import { now } from '../base/clock.ts'; now()",
    'new Date(5)',
    "const sample = 'crypto.randomUUID()' // setTimeout",
  ])('the finder of machine time, timers and randomness lets %s pass', (text) => {
    expect(machineUses('a.ts', text)).toEqual([])
  })
})

interface Named {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly property?: Named
}

interface AnyNode extends SyntaxNode {
  readonly name?: string
  readonly object?: Named
  readonly property?: Named
  readonly callee?: Named
  readonly arguments?: readonly unknown[]
  readonly init?: Named | null
  readonly specifiers?: readonly { readonly imported?: Named }[]
}

/** Everything in a file that asks the machine, and not a port. */
function machineUses(file: string, text: string): string[] {
  const uses: string[] = []
  const member = (object: string | undefined, property: string | undefined) => {
    if (property !== undefined && randomNames.has(property)) uses.push(property)
    else if (machineMembers.has(`${object}.${property}`)) uses.push(`${object}.${property}`)
  }
  visit(parseSync(file, text).program, (found) => {
    const node = found as AnyNode
    if (node.type === 'Identifier' && timerNames.has(node.name!)) uses.push(node.name!)
    if (node.type === 'MemberExpression') member(nameOf(node.object), nameOf(node.property))
    if (node.type === 'VariableDeclarator' && node.init?.type === 'Identifier') {
      for (const key of keysOf(node.id)) member(node.init.name, key)
    }
    const isDateCall = node.type === 'CallExpression' && nameOf(node.callee) === 'Date'
    const isNewDate = node.type === 'NewExpression' && nameOf(node.callee) === 'Date' && node.arguments?.length === 0
    if (isDateCall || isNewDate) uses.push('new Date()')
    const from = node.source?.value
    if (typeof from !== 'string') return
    if (machineModules.test(from)) uses.push(from)
    if (/^(node:)?crypto$/.test(from)) {
      for (const { imported } of node.specifiers ?? []) member('crypto', nameOf(imported))
    }
  })
  // An import names `setTimeout` too; its module says enough.
  const modules = uses.filter((use) => machineModules.test(use))
  return modules.length > 0 ? uses.filter((use) => !timerNames.has(use)) : uses
}

/** The name by which something is reached: `now` of `now`, `'now'` and `globalThis.now`. */
function nameOf(node: Named | undefined): string | undefined {
  if (node?.type === 'MemberExpression') return nameOf(node.property)
  return typeof node?.value === 'string' ? node.value : node?.name
}

function keysOf(pattern: unknown): string[] {
  const { properties = [] } = (pattern ?? {}) as { properties?: readonly { readonly key?: Named }[] }
  return properties.flatMap(({ key }) => nameOf(key) ?? [])
}
