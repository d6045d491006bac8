import type { LoadPlan } from '../load/load.ts'

export type Group = 'limit' | 'peer' | 'ours'

/** One server in a process of its own, and what it is asked. */
export interface Contestant {
  readonly id: string
  readonly name: string
  readonly group: Group
  /** What to send in a run of that name; no two runs have the same. */
  readonly plan: (run: string) => LoadPlan
  /** The only right status. */
  readonly status: 200 | 402
  /** What is wrong with a response; null when nothing is. */
  readonly judge: (body: string) => string | null
  /** Processes whose CPU time and memory count as its own. */
  readonly processes: () => readonly number[]
  /** Those of the database behind it. */
  readonly databaseProcesses: () => readonly number[]
  /** The text of its /metrics, if it has them. */
  readonly metrics?: () => Promise<string>
  /** Stops it and says what is wrong with what it leaves behind, after so many answers. */
  readonly finish: (tally: Tally) => Promise<string[]>
}

/** What one contestant answered over all runs. */
export interface Tally {
  /** Answers that arrived. */
  answered: number
  /** Calls that may have been under way when a run was cut off: done by the server, but never read. */
  cutOff: number
}

/** Fails on the first thing that differs. */
export function judgeJson<T>(check: (response: T) => boolean): (body: string) => string | null {
  return (body) => {
    try {
      return check(JSON.parse(body) as T) ? null : `a wrong response: ${body.slice(0, 300)}`
    } catch {
      return `not JSON: ${body.slice(0, 300)}`
    }
  }
}
