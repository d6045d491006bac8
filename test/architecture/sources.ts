import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Each file with the files that it imports; both relative to the folder that was read. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

export interface Sources {
  readonly imports: ImportGraph
  /** Files with an `import(x)` whose x is not a literal, so what they import is unknown. */
  readonly computedImports: readonly string[]
  /** Each type, interface and class with the files that declare it. */
  readonly types: ReadonlyMap<string, readonly string[]>
  read(file: string): string
}

export function readSources(folder: string): Sources {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const files = globSync('**/*.{ts,tsx}', { cwd: folder }).sort()
  const facts = files.map((file) => [file, factsOf(file, read(file))] as const)
  const types = new Map<string, string[]>()
  for (const [file, { declared }] of facts) {
    for (const name of declared) types.set(name, [...(types.get(name) ?? []), file])
  }
  const pathOf = (file: string, specifier: string) => relative(folder, resolve(folder, dirname(file), specifier))
  return {
    imports: new Map(facts.map(([file, { imported }]) => [file, imported.map((specifier) => pathOf(file, specifier))])),
    computedImports: facts.filter(([, { hasComputedImport }]) => hasComputedImport).map(([file]) => file),
    types,
    read,
  }
}

/** What one file imports by a relative path, by whichever syntax, and the types that it declares. */
export function factsOf(file: string, text: string) {
  const imported = new Set<string>()
  const declared = new Set<string>()
  let hasComputedImport = false
  visit(parseSync(file, text).program, (node) => {
    if (importing.has(node.type) && node.source) {
      if (typeof node.source.value !== 'string') hasComputedImport = true
      else if (node.source.value.startsWith('.')) imported.add(node.source.value)
    }
    if (declaring.has(node.type) && node.id) declared.add(node.id.name)
  })
  return { imported: [...imported], declared: [...declared], hasComputedImport }
}

/** The circles of a graph, each as the set of files that all reach each other (Tarjan). */
export function circlesIn(imports: ImportGraph): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const circles: string[][] = []
  const enter = (file: string) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    stack.push(file)
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) enter(target)
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const file of imports.keys()) if (!order.has(file)) enter(file)
  return circles
}

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])
const declaring = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration', 'ClassDeclaration'])

export interface SyntaxNode {
  readonly type: string
  readonly source?: { readonly value?: unknown } | null
  readonly id?: { readonly name: string } | null
  readonly key?: { readonly name?: string } | null
  readonly body?: unknown
  readonly start: number
  readonly end: number
}

export function visit(
  value: unknown,
  see: (node: SyntaxNode, parent: SyntaxNode | null) => void,
  parent: SyntaxNode | null = null,
): void {
  if (typeof value !== 'object' || value === null) return
  const node = 'type' in value && typeof value.type === 'string' ? (value as SyntaxNode) : null
  if (node) see(node, parent)
  for (const child of Object.values(value)) visit(child, see, node ?? parent)
}
