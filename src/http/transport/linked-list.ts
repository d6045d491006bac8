export interface Link<T> {
  readonly value: T
  before: Link<T> | null
  after: Link<T> | null
}

/** A list that adds and removes at any place in constant time. */
export class LinkedList<T> {
  #first: Link<T> | null = null
  #last: Link<T> | null = null

  get first(): T | undefined {
    return this.#first?.value
  }

  get last(): T | undefined {
    return this.#last?.value
  }

  append(value: T): Link<T> {
    const link: Link<T> = { value, before: this.#last, after: null }
    if (this.#last === null) this.#first = link
    else this.#last.after = link
    this.#last = link
    return link
  }

  prepend(value: T): Link<T> {
    const link: Link<T> = { value, before: null, after: this.#first }
    if (this.#first === null) this.#last = link
    else this.#first.before = link
    this.#first = link
    return link
  }

  /** Must be called once per link. */
  remove(link: Link<T>): void {
    if (link.before === null) this.#first = link.after
    else link.before.after = link.after
    if (link.after === null) this.#last = link.before
    else link.after.before = link.before
  }
}
