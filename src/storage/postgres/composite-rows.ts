import type { ColumnType } from '../books/table-write.ts'
import type { Value } from '../engine.ts'

/**
 * Rows that travel as one binary value, for `unnest($1::type[])`. For 32 ledger entries the server needs 207 µs this way, 373
 * with `json_to_recordset`, 460 with `jsonb_to_recordset` and 333 with an array for every column.
 */
export class CompositeRows {
  readonly #columns: readonly ColumnType[]
  readonly #rows: readonly (readonly Value[])[]

  constructor(columns: readonly ColumnType[], rows: readonly (readonly Value[])[]) {
    this.#columns = columns
    this.#rows = rows
  }

  /** In the server's binary format for an array of composite values. */
  encode(): Buffer {
    const columns = this.#columns
    const writer = new BinaryWriter()
    for (const head of [dimensions, hasNulls, elementType, this.#rows.length, firstIndex]) writer.int(head)
    for (const row of this.#rows) {
      if (row.length !== columns.length)
        throw new TypeError(`a row has ${row.length} values for ${columns.length} columns`)
      const start = writer.begin()
      writer.int(columns.length)
      for (let place = 0; place < columns.length; place += 1) writer.value(columns[place]!, row[place]!)
      writer.end(start)
    }
    return writer.done()
  }
}

const dimensions = 1
const hasNulls = 0
/** The cast in the statement names the type; the server accepts any id for one of its own. */
const elementType = 0
const firstIndex = 1
const typeIds = { text: 25, bigint: 20, int: 23 } as const

/** Shared, because encoding is synchronous; shrinks again after an unusually long value. */
const usualLength = 64 * 1024
let scratch = Buffer.allocUnsafe(usualLength)

class BinaryWriter {
  #at = 0

  int(value: number): void {
    this.#makeRoom(4)
    this.#put(value)
  }

  /** Leaves room for a length, which `end` fills in. */
  begin(): number {
    this.int(0)
    return this.#at
  }

  end(start: number): void {
    scratch.writeInt32BE(this.#at - start, start - 4)
  }

  value(type: ColumnType, value: Value): void {
    this.int(typeIds[type])
    if (value === null) this.int(-1)
    else if (typeof value === 'string') this.#text(type, value)
    else this.#number(type, value)
  }

  done(): Buffer {
    const message = Buffer.from(scratch.subarray(0, this.#at))
    if (scratch.length > 16 * usualLength) scratch = Buffer.allocUnsafe(usualLength)
    return message
  }

  #text(type: ColumnType, text: string): void {
    if (type !== 'text') throw new TypeError(`a ${type} cannot be text`)
    const start = this.begin()
    this.#makeRoom(3 * text.length)
    this.#at += scratch.write(text, start)
    this.end(start)
  }

  #number(type: ColumnType, value: number): void {
    if (type === 'text') throw new TypeError('text cannot be a number')
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a safe integer`)
    this.#makeRoom(12)
    if (type === 'int') {
      if (value !== (value | 0)) throw new RangeError(`${value} is too large for an int`)
      this.#put(4)
    } else {
      this.#put(8)
      this.#put(Math.floor(value / 2 ** 32))
    }
    this.#put(value)
  }

  /** The lower 32 bits, most significant first. */
  #put(value: number): void {
    const at = this.#at
    scratch[at] = value >>> 24
    scratch[at + 1] = value >>> 16
    scratch[at + 2] = value >>> 8
    scratch[at + 3] = value
    this.#at = at + 4
  }

  #makeRoom(bytes: number): void {
    if (this.#at + bytes <= scratch.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * scratch.length, this.#at + bytes))
    scratch.copy(larger, 0, 0, this.#at)
    scratch = larger
  }
}
