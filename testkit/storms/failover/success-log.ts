export interface Worker {
  readonly gateway: number
  readonly payer: number
}

interface Success extends Worker {
  readonly at: number
}

/** When calls were answered, by which gateway and for whom. */
export class SuccessLog {
  #successes: Success[] = []

  add(worker: Worker): void {
    this.#successes.push({ at: performance.now(), gateway: worker.gateway, payer: worker.payer })
  }

  /** Answered calls a second. */
  rate({ from, to }: { from: number; to: number }, filter: (worker: Worker) => boolean = () => true): number {
    const count = this.#successes.filter((one) => one.at >= from && one.at < to && filter(one)).length
    return count / ((to - from) / 1000)
  }

  /** When this gateway first answered a call after that moment; undefined if it did not yet. */
  firstAfter(moment: number, gateway: number): number | undefined {
    return this.#successes.find((one) => one.at > moment && one.gateway === gateway)?.at
  }

  countAfter(moment: number, gateway: number): number {
    return this.#successes.filter((one) => one.at > moment && one.gateway === gateway).length
  }

  /** The longest time in which this gateway answered no call. */
  longestGapMs({ from, to }: { from: number; to: number }, gateway: number): number {
    const moments = this.#successes.filter((one) => one.gateway === gateway && one.at > from && one.at < to)
    const ends = [...moments.map(({ at }) => at), to]
    return Math.max(...ends.map((at, place) => at - (ends[place - 1] ?? from)))
  }

  forget(): void {
    this.#successes = []
  }
}
