/** A small generator of random numbers (sfc32). The same seed gives the same numbers on every machine. */
export class Prng {
  #a = 0
  #b = 0
  #c = 0
  #counter = 1

  constructor(seed: number, stream = 0) {
    this.restart(seed, stream)
  }

  restart(seed: number, stream: number): void {
    this.#counter = 1
    this.#a = seed >>> 0
    this.#b = Math.floor(seed / 2 ** 32) >>> 0
    this.#c = stream >>> 0
    for (let round = 0; round < 16; round += 1) this.next()
  }

  /** A whole number below 2^32. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) >>> 0
    this.#counter = (this.#counter + 1) >>> 0
    this.#a = (this.#b ^ (this.#b >>> 9)) >>> 0
    this.#b = (this.#c + (this.#c << 3)) >>> 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0
    return sum
  }

  /** At least 0 and less than 1. */
  share(): number {
    return this.next() / 2 ** 32
  }

  /** From `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + (this.next() % (high - low + 1))
  }

  fill(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = this.next() & 0xff
  }

  chance(share: number): boolean {
    return this.share() < share
  }

  pick<T>(values: readonly T[]): T {
    return values[this.next() % values.length]!
  }

  /** Half of the values, at least one. */
  half<T>(values: readonly T[]): T[] {
    const chosen = values.filter(() => this.chance(0.5))
    return chosen.length > 0 ? chosen : [this.pick(values)]
  }
}
