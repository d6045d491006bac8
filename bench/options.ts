import { parseArgs } from 'node:util'

export interface Options {
  readonly seconds: number
  readonly rounds: number
  readonly connections: readonly number[]
  readonly isQuick: boolean
  /** Ids of contestants; empty means all. */
  readonly only: readonly string[]
  /** Compares the CPU time of calls with that of the published build, instead of publishing. */
  readonly isGate: boolean
  /** Keep the gateway's log in a file instead of /dev/null. */
  readonly keepsLog: boolean
  /** Charges stored beforehand, for the scale benchmark. */
  readonly sizes: readonly number[]
  readonly projects: number
  /** Calls of one gateway in the long run of the scale benchmark. */
  readonly longRunCalls: number
}

const quick = { seconds: 1, rounds: 1, sizes: '0,2000,20000', projects: 200, longRunCalls: 20_000 }
/** For the scale benchmark: rounds on one store vary more than sizes do. */
export const roundsBySize = 5
const full = { seconds: 5, rounds: 3, sizes: '0,100000,1000000', projects: 10_000, longRunCalls: 1_000_000 }

const usage = `
  --seconds N        length of one run (${full.seconds})
  --rounds N         how often everything is measured (${full.rounds}; bench:scale: ${roundsBySize})
  --connections A,B  connections of a run (1,16,64,256)
  --only A,B         only these contestants, by id (bench:scale: gateways)
  --sizes A,B        charges stored beforehand (bench:scale: 0,100000,1000000)
  --projects N       projects they are spread over (bench:scale: 10000)
  --log              the gateway's log goes to a file, not to /dev/null
  --gate             fails if a call takes a tenth more CPU than that of the commit in the published table, side by side
  --quick            one round of one second each: to see that it runs, not to quote
`

export function readOptions({ rounds = full.rounds } = {}): Options {
  try {
    const { values } = parseArgs({ options: known, strict: true })
    if (values.help) leave(0)
    const fallback = values.quick ? quick : { ...full, rounds }
    return {
      seconds: whole(values.seconds) ?? fallback.seconds,
      rounds: whole(values.rounds) ?? fallback.rounds,
      connections: (values.gate ? '64' : values.connections).split(',').map((level) => whole(level)!),
      isQuick: values.quick,
      only: values.only === '' ? [] : values.only.split(','),
      isGate: values.gate,
      keepsLog: values.log,
      sizes: (values.sizes ?? fallback.sizes).split(',').map(size),
      projects: whole(values.projects) ?? fallback.projects,
      longRunCalls: fallback.longRunCalls,
    }
  } catch (error) {
    console.error((error as Error).message)
    return leave(2)
  }
}

const known = {
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  connections: { type: 'string', default: '1,16,64,256' },
  only: { type: 'string', default: '' },
  sizes: { type: 'string' },
  projects: { type: 'string' },
  log: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  gate: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

function whole(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`"${text}" is not a whole number from 1 to 99999`)
  return Number(text)
}

function size(text: string): number {
  if (!/^\d{1,8}$/.test(text)) throw new Error(`"${text}" is not a number of charges`)
  return Number(text)
}

function leave(code: number): never {
  console.log(usage)
  process.exit(code)
}
