import type { Duplex } from 'node:stream'
import pg from 'pg'
import type { Encoded } from './parameters.ts'
import { valueTypes } from './value-types.ts'

/** A statement that the server keeps under its name, once a connection; without a name it is parsed each time. */
export interface Prepared {
  readonly name: string
  readonly sql: string
  /** How its rows are read; known to all connections after the first answer. */
  columns: readonly Column[] | null
}

interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

export interface Passenger {
  readonly statement: Prepared
  readonly values: readonly Encoded[]
}

export interface Arrival {
  readonly rows: object[]
  /** What the server calls the command that it has run. */
  readonly tag: string
}

/** What we use of the driver's connection and query; its types leave most of it out. */
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
 * Statements that travel as one message and are answered as one, which `pg` does not do by itself: it asks for an answer
 * to each, and each wakes both sides. The server skips whatever follows a statement that failed.
 */
export class Flight extends DriverQuery {
  readonly arrivals: Arrival[] = []
  readonly #passengers: readonly Passenger[]
  readonly #parsing: Prepared[] = []
  #rows: object[] = []
  #unreadable: Error | null = null

  constructor(passengers: readonly Passenger[], callback: Callback) {
    super({ text: '' })
    this.callback = callback
    this.#passengers = passengers
  }

  /** After a failure nobody knows which of its names the server has kept. */
  get wasParsing(): boolean {
    return this.#parsing.length > 0
  }

  submit(wire: Wire): null {
    wire.stream.cork()
    for (const { statement, values } of this.#passengers) {
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
      read: valueTypes.getTypeParser(dataTypeID, 'text') as Column['read'],
    }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      const row: Record<string, unknown> = {}
      for (const [place, { name, read }] of this.#current().columns!.entries()) {
        const text = fields[place]!
        row[name] = text === null ? null : read(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#unreadable ??= error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#current().columns ??= []
    this.arrivals.push({ rows: this.#rows, tag: text })
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
    return this.#passengers[this.arrivals.length]!.statement
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
