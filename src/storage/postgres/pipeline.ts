import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { Encoded } from './composite-rows.ts'
import { valueTypes } from './value-types.ts'

/** A named statement is parsed once per connection, an unnamed one every time. */
export interface Prepared {
  readonly name: string
  readonly sql: string
  /** The result columns; known after the first response on any connection. */
  columns: readonly ResultColumn[] | null
}

interface ResultColumn {
  readonly name: string
  readonly read: (text: string) => unknown
}

export interface PipelineQuery {
  readonly statement: Prepared
  readonly values: readonly Encoded[]
}

export interface QueryResult {
  readonly rows: object[]
  /** The server's command tag, such as COMMIT. */
  readonly tag: string
}

/** The parts of the driver's connection used here; its types omit most of them. */
interface Wire {
  readonly stream: Duplex
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: readonly Encoded[] }): void
  describe(message: { type: 'P' }): void
  execute(message: null): void
  sync(): void
}
type Callback = (error: Error | null) => void
const DriverQuery = pg.Query as unknown as new (config: { text: string }) => { callback: Callback }

/**
 * Several queries in one round trip, with a single Sync. `pg` sends a Sync after each query, which wakes both sides every
 * time. After a failed query the server skips the rest.
 */
export class Pipeline extends DriverQuery {
  readonly results: QueryResult[] = []
  readonly #queries: readonly PipelineQuery[]
  readonly #parsing: Prepared[] = []
  #rows: object[] = []
  #unreadable: Error | null = null

  constructor(queries: readonly PipelineQuery[], callback: Callback) {
    super({ text: '' })
    this.callback = callback
    this.#queries = queries
  }

  /** Whether it parsed statements. If it failed too, it is unknown which of their names the server has. */
  get wasParsing(): boolean {
    return this.#parsing.length > 0
  }

  submit(wire: Wire): null {
    wire.stream.cork()
    for (const { statement, values } of this.#queries) {
      this.#parseOnce(wire, statement)
      wire.bind({ statement: statement.name, values })
      if (!statement.columns) wire.describe({ type: 'P' })
      wire.execute(null)
    }
    wire.sync()
    wire.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#current().columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: valueTypes.getTypeParser(dataTypeID, 'text') as ResultColumn['read'],
    }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      const row: Record<string, unknown> = {}
      for (const [index, { name, read }] of this.#current().columns!.entries()) {
        const text = fields[index]!
        row[name] = text === null ? null : read(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#unreadable ??= error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#current().columns ??= []
    this.results.push({ rows: this.#rows, tag: text })
    this.#rows = []
  }

  handleReadyForQuery(wire: Wire): void {
    for (const { name, sql } of this.#parsing) {
      wire.parsedStatements[name] = sql
      delete wire.submittedNamedStatements[name]
    }
    this.callback(this.#unreadable)
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  #current(): Prepared {
    return this.#queries[this.results.length]!.statement
  }

  #parseOnce(wire: Wire, statement: Prepared): void {
    const { name, sql } = statement
    if (name in wire.parsedStatements || name in wire.submittedNamedStatements) return
    wire.parse({ name, text: sql })
    if (name === '') return
    wire.submittedNamedStatements[name] = sql
    this.#parsing.push(statement)
  }
}
