import type { LoadPlan } from '../load/load.ts'

export type Group = 'limit' | 'peer' | 'ours'

/** One server in its own process, and the requests it gets. */
export interface Contestant {
  readonly id: string
  readonly name: string
  readonly group: Group
  /** The requests of the run with this name; no two runs share any. */
  readonly plan: (run: string) => LoadPlan
  /** The only correct status. */
  readonly status: 200 | 202 | 402
  /** What is wrong with a response; null when nothing is. */
  readonly judge: (body: string) => string | null
  /** Processes whose CPU time and memory count as its own. */
  readonly processes: () => readonly number[]
  /** Processes of its database. */
  readonly databaseProcesses: () => readonly number[]
  /** The text of its /metrics, if it has them. */
  readonly metrics?: () => Promise<string>
  /** Stops it and lists what is wrong with the books it leaves after this traffic. */
  readonly finish: (tally: Tally) => Promise<string[]>
}

/** The responses of one contestant over all runs. */
export interface Tally {
  /** Responses that arrived. */
  answered: number
  /** Calls that may have been under way when a run ended: the server served them, but the response was not read. */
  cutOff: number
}

/** Reports the first difference. */
export function judgeJson<T>(check: (response: T) => boolean): (body: string) => string | null {
  return (body) => {
    try {
      return check(JSON.parse(body) as T) ? null : `a wrong response: ${body.slice(0, 300)}`
    } catch {
      return `not JSON: ${body.slice(0, 300)}`
    }
  }
}
