import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { visit } from './sources.ts'

export interface TableUse {
  readonly file: string
  readonly table: string
  readonly kind: 'read' | 'write'
}

/** What each file does with the tables: by SQL, by a row mapper, or as a write of a batch. */
export function tableUses(sources: ReadonlyMap<string, string>, tables: ReadonlySet<string>): TableUse[] {
  const files = new Map([...sources].map(([file, text]) => [file, parse(file, text)]))
  const uses = new Map<string, TableUse>()
  for (const [file, { nodes }] of files) {
    const use = (kind: TableUse['kind'], names: readonly string[]) => {
      for (const table of names) if (tables.has(table)) uses.set(`${file} ${kind} ${table}`, { file, table, kind })
    }
    const texts = nodes.filter(isText).map((node) => textOf(files, { file, node }) ?? '')
    const given = texts.some((sql) => givenWrite.test(sql))
      ? 'write'
      : texts.some((sql) => givenRead.test(sql))
        ? 'read'
        : null
    for (const node of nodes) {
      const sql = isText(node) ? textOf(files, { file, node }) : undefined
      if (sql !== undefined) {
        use('write', writtenIn(sql))
        use('read', readIn(sql))
        // A table that is named alone, next to SQL for any table.
        if (given) use(given, [sql])
      }
      if (node.type === 'Property' && node.key?.name === 'table')
        use(given ?? 'write', [textOf(files, { file, node: node.value as Node }) ?? ''])
      if (node.type !== 'CallExpression') continue
      const [first, second] = node.arguments ?? []
      if (node.callee?.name === 'write' && batchKinds.has(String(first?.value))) use('write', [String(second?.value)])
      use('read', mappedTables(files, { file, node }))
      const mapped = mappedTables(files, declared(files, file, node.callee?.object?.name))
      if (mapperWrites.has(node.callee?.property?.name ?? '')) use('write', mapped.slice(0, 1))
      else use('read', mapped)
    }
  }
  return [...uses.values()]
}

/** As much of the syntax as is looked at. */
interface Node {
  readonly type: string
  readonly value?: unknown
  readonly name?: string
  readonly id?: Node
  readonly init?: Node | null
  readonly key?: Node
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
  readonly expression?: Node
  readonly source?: { readonly value: string }
  readonly specifiers?: readonly { readonly local: Node; readonly imported?: Node }[]
  readonly arguments?: readonly Node[]
  readonly expressions?: readonly Node[]
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[]
}

interface Parsed {
  readonly nodes: readonly Node[]
  readonly constants: ReadonlyMap<string, Node>
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

interface Placed {
  readonly file: string
  readonly node: Node
}

function parse(file: string, text: string): Parsed {
  const nodes: Node[] = []
  const constants = new Map<string, Node>()
  const imports = new Map<string, { file: string; name: string }>()
  visit(parseSync(file, text).program, (found) => {
    const node = found as unknown as Node
    nodes.push(node)
    if (node.type === 'VariableDeclarator' && node.id?.name && node.init) constants.set(node.id.name, node.init)
    if (node.type !== 'ImportDeclaration') return
    for (const { local, imported } of node.specifiers ?? [])
      if (imported) imports.set(local.name!, { file: join(dirname(file), node.source!.value), name: imported.name! })
  })
  return { nodes, constants, imports }
}

/** What a name of a file stands for, in this file or in the one that it is imported from. */
function declared(files: ReadonlyMap<string, Parsed>, file: string, name: string | undefined): Placed | undefined {
  const node = files.get(file)?.constants.get(name ?? '')
  if (node) return { file, node }
  const from = files.get(file)?.imports.get(name ?? '')
  return from && declared(files, from.file, from.name)
}

/** The text of a string, with the constants that it contains. What is known only at run time becomes `?`. */
function textOf(files: ReadonlyMap<string, Parsed>, placed: Placed | undefined): string | undefined {
  if (!placed) return undefined
  const { file, node } = placed
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'Identifier') return textOf(files, declared(files, file, node.name))
  if (node.type === 'TSAsExpression') return textOf(files, { file, node: node.expression! })
  if (node.type !== 'TemplateLiteral') return undefined
  return node.quasis!.reduce((text, { value }, index) => {
    const before = node.expressions![index - 1]
    return text + (before ? (textOf(files, { file, node: before }) ?? '?') : '') + value.cooked
  }, '')
}

function mappedTables(files: ReadonlyMap<string, Parsed>, placed: Placed | undefined): string[] {
  if (placed?.node.callee?.name !== 'rowMapper') return []
  const sql = textOf(files, { file: placed.file, node: placed.node.arguments![0]! }) ?? ''
  return readIn(`FROM ${sql}`)
}

const batchKinds = new Set(['insert', 'update', 'upsert'])
const mapperWrites = new Set(['insert', 'insertAll', 'upsert', 'update'])

const writtenIn = (sql: string): string[] =>
  [...sql.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)/g)].map(([, table]) => table!)

/** The tables after FROM and JOIN, those after a comma too. */
const readIn = (sql: string): string[] =>
  [...sql.matchAll(/(?<!\bDELETE )\b(?:FROM|JOIN)\s+(?=((?:\w+(?:\s+\w+)?\s*,\s*)*\w+))/g)].flatMap(([, list]) =>
    list!.split(',').map((one) => /\w+/.exec(one)![0]),
  )

const givenWrite = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+\?/
const givenRead = /\b(?:FROM|JOIN)\s+\?/

const isText = ({ type }: Node) => type === 'Literal' || type === 'TemplateLiteral'
