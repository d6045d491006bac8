/** Which share of the worlds fails if their randomness is another one from a step on. Each round tries other worlds. */
export type Share = (step: number, round: number) => Promise<number>

/** A share ends the search with it, once there is no time left. */
export class TimeIsUp extends Error {}

export interface Point {
  readonly step: number
  readonly share: number
}

/** Few worlds fail if they are changed from `low` on, more if from `high` on. */
export interface Rise {
  readonly low: Point
  readonly high: Point
}

export interface Search {
  /** At equal distances, from the first step to the end. */
  readonly points: Point[]
  /** Each is one step, in their order. */
  readonly rises: Rise[]
  /** Where the search was when its time was up. */
  unfinished: Rise | null
  isUnfinished: boolean
}

interface Tally {
  readonly step: number
  rounds: number
  /** The sum of the shares of all rounds. */
  sum: number
}

const intervals = 8
/** Smaller rises are looked into than are believed, because fewer tries chose them. */
const promisingRise = 0.15
const clearRise = 0.3
/** Of each of the two steps: before it is tried anew, then, and for the search of one rise in all. */
const roundsBefore = 3
const roundsAnew = 3
const roundsOfSearch = 40
/** From this share on, the first step explains nothing. */
const likely = 0.75

/**
 * Finds the steps of a failing world that make its failure likely. The share may also fall in between, and is only known from tries:
 * all tries together say where it rises most, more of them follow there, and what was found is tried anew.
 */
export async function findRises(steps: number, share: Share): Promise<Search> {
  const search: Search = { points: [], rises: [], unfinished: null, isUnfinished: false }
  try {
    await new RiseSearch(steps, share, search).run()
  } catch (error) {
    if (!(error instanceof TimeIsUp)) throw error
    search.isUnfinished = true
  }
  search.rises.sort((one, other) => one.low.step - other.low.step)
  return search
}

export const isLikelyFromTheStart = ({ points }: Search): boolean => (points[0]?.share ?? 0) >= likely

class RiseSearch {
  readonly #steps: number
  readonly #share: Share
  readonly #search: Search
  readonly #tallies = new Map<number, Tally>()

  constructor(steps: number, share: Share, search: Search) {
    this.#steps = steps
    this.#share = share
    this.#search = search
    // Changed after its end, it is the world that fails.
    const rounds = roundsBefore + roundsAnew
    this.#tallies.set(steps + 1, { step: steps + 1, rounds, sum: rounds })
  }

  async run(): Promise<void> {
    for (let index = 0; index <= intervals; index += 1) {
      const step = 1 + Math.floor((index * this.#steps) / intervals)
      const tally = this.#tallies.get(step) ?? (await this.#try(step))
      this.#search.points.push({ step, share: shareOf(tally) })
      if (isLikelyFromTheStart(this.#search)) return
    }
    await this.#findIn(1, this.#steps + 1)
    this.#search.unfinished = null
  }

  /** Finds the largest rise, then others before and after it. */
  async #findIn(first: number, last: number): Promise<void> {
    const rise = await this.#findLargest(first, last)
    if (rise === null) return
    this.#search.rises.push(rise)
    await this.#findIn(first, rise.low.step)
    await this.#findIn(rise.high.step, last)
  }

  async #findLargest(first: number, last: number): Promise<Rise | null> {
    for (let left = roundsOfSearch; left > 0; left -= 1) {
      const rise = largestRise(this.#between(first, last))
      if (rise === null) return null
      const [low, high] = rise
      this.#search.unfinished = { low: pointOf(low), high: pointOf(high) }
      const distance = high.step - low.step
      if (distance > 1) await this.#try(low.step + (distance >> 1))
      else if (Math.min(low.rounds, high.rounds) < roundsBefore)
        await this.#try((low.rounds < high.rounds ? low : high).step)
      else if (Math.min(low.rounds, high.rounds) >= roundsBefore + roundsAnew) return null
      else {
        const confirmed = await this.#confirm(low, high)
        if (confirmed) return confirmed
      }
    }
    return null
  }

  /** Only new tries count, because the others have chosen the step. */
  async #confirm(...ends: [Tally, Tally]): Promise<Rise | null> {
    const [low, high] = [await this.#anew(ends[0]), await this.#anew(ends[1])]
    return high.share - low.share >= clearRise ? { low, high } : null
  }

  async #anew({ step, sum }: Tally): Promise<Point> {
    if (step > this.#steps) return { step, share: 1 }
    for (let round = 0; round < roundsAnew; round += 1) await this.#try(step)
    return { step, share: (this.#tallies.get(step)!.sum - sum) / roundsAnew }
  }

  #between(first: number, last: number): Tally[] {
    const tallies = [...this.#tallies.values()].filter(({ step }) => step >= first && step <= last)
    return tallies.sort((one, other) => one.step - other.step)
  }

  async #try(step: number): Promise<Tally> {
    const before = this.#tallies.get(step) ?? { step, rounds: 0, sum: 0 }
    const share = await this.#share(step, before.rounds)
    const tally = { step, rounds: before.rounds + 1, sum: before.sum + share }
    this.#tallies.set(step, tally)
    return tally
  }
}

const shareOf = ({ sum, rounds }: { readonly sum: number; readonly rounds: number }) => sum / rounds

const pointOf = (tally: Tally): Point => ({ step: tally.step, share: shareOf(tally) })

/** The two neighbours between which a jump from one share to a higher one explains all tries best; null if it is small. */
function largestRise(tallies: readonly Tally[]): [Tally, Tally] | null {
  let best: { readonly likelihood: number; readonly height: number; readonly ends: [Tally, Tally] } | null = null
  for (let index = 1; index < tallies.length; index += 1) {
    const [before, after] = [total(tallies.slice(0, index)), total(tallies.slice(index))]
    const height = shareOf(after) - shareOf(before)
    const likelihood = logLikelihood(before) + logLikelihood(after)
    if (height > 0 && (best === null || likelihood > best.likelihood))
      best = { likelihood, height, ends: [tallies[index - 1]!, tallies[index]!] }
  }
  return best !== null && best.height >= promisingRise ? best.ends : null
}

const total = (tallies: readonly Tally[]) => ({
  rounds: tallies.reduce((sum, { rounds }) => sum + rounds, 0),
  sum: tallies.reduce((sum, tally) => sum + tally.sum, 0),
})

/** Of tries that fail with one and the same probability. */
function logLikelihood({ rounds, sum }: { readonly rounds: number; readonly sum: number }): number {
  const share = sum / rounds
  return sum * Math.log(share || 1) + (rounds - sum) * Math.log(1 - share || 1)
}
