import { Prng } from './prng.ts'

/** Everything that can go wrong. Each seed switches off about half of them, so that each meets the others alone. */
export const faultNames = [
  'slow-store',
  'refuse-commit',
  'lose-commit-response',
  'store-outage',
  'end-sessions',
  'lock-project',
  'failover-sync',
  'failover-async',
  'kill',
  'freeze',
  'restart',
  'clock-skew',
  'clock-drift',
  'clock-jump',
  'provider-errors',
  'provider-silence',
  'provider-loses-responses',
  'provider-garbage',
  'media-lies',
  'cut-connections',
  'duplicates',
  'key-changes',
  'operators',
  'webhook-failures',
  'message-failures',
  'long-night',
  'payment-lies',
  'late-commit',
  'lease-cut',
  // Not faults, but lives of their own: half of the worlds have each.
  'key-rotation',
  'revoked-keys',
  'second-factor',
  'approvals',
  'slow-readers',
  'secret-rotation',
  'witnesses',
] as const
export type Fault = (typeof faultNames)[number]

export interface PlanOptions {
  readonly seed: number
  readonly gateways?: number
  readonly callers?: number
  readonly calls?: number
  readonly steps?: number
  readonly without?: readonly Fault[]
  /** On in every seed. */
  readonly with?: readonly Fault[]
}

const sizes = [
  { callers: [2, 6], calls: [4, 30], storeMs: [1.5, 10, 40] },
  { callers: [10, 40], calls: [10, 40], storeMs: [1.5, 10, 40] },
  // Slow enough that calls of several callers share a batch, as they do in production under load.
  { callers: [100, 300], calls: [15, 45], storeMs: [10, 40] },
] as const

/** What happens in a world, derived from its seed. Options that are given replace what the seed says. */
export class Plan {
  readonly seed: number
  readonly gateways: number
  readonly projects: number
  readonly callers: number
  readonly callsPerCaller: number
  /** The most events before all faults heal. */
  readonly steps: number
  readonly faults: ReadonlySet<Fault>
  /** How often an operation of the store, or a provider, fails while its faults are on. */
  readonly storeFaultShare: number
  readonly providerFaultShare: number
  /** The pause between two larger faults. */
  readonly pauseMs: number
  /** How many credits a payer buys at first, for each call that the project is to make. */
  readonly creditsPerCall: number
  /** How many calls are to be made with the keys of a project. */
  readonly callsPerProject: number
  /** The longest pause of a caller between two calls. */
  readonly thinkMs: number
  /** How often another transaction may go on between two statements of one. */
  readonly overlap: number
  /** How much more seldom than in production idle gateways look for work. */
  readonly slowness: number
  /** The longest time that a provider usually takes. */
  readonly providerMs: number
  /** The longest time that a message to the store takes without faults. */
  readonly storeMs: number
  /** How often each payer changes something. */
  readonly changes: number
  #isHealed = false

  constructor(options: PlanOptions) {
    const { seed } = options
    const random = new Prng(seed, 3)
    this.seed = seed
    this.gateways = random.between(2, 5)
    this.projects = random.between(1, 4)
    // Most worlds are small or middling; most calls are made in the large ones, because a start, a rest and all that gateways do every
    // second cost as much as many calls. A large world has many callers rather than long ones: each is as likely to meet a fault.
    const { callers, calls, storeMs } = random.pick(sizes)
    this.callers = random.between(callers[0], callers[1])
    this.callsPerCaller = random.between(calls[0], calls[1])
    this.slowness = random.pick([1, 5, 20])
    this.thinkMs = random.pick([20, 200, 1000])
    this.providerMs = random.pick([20, 200, 800])
    const chosen = random.half(faultNames)
    this.storeFaultShare = random.pick([0.002, 0.01, 0.04])
    this.providerFaultShare = random.pick([0.05, 0.2, 0.5])
    this.pauseMs = random.pick([1500, 5000, 20_000])
    this.creditsPerCall = random.pick([2, 6, 100])
    this.overlap = random.pick([0, 0.1, 0.5])
    this.storeMs = random.pick(storeMs)
    const wanted = faultNames.filter((fault) => chosen.includes(fault) || options.with?.includes(fault))
    this.faults = new Set(wanted.filter((fault) => !options.without?.includes(fault)))
    this.gateways = options.gateways ?? this.gateways
    this.callers = options.callers ?? this.callers
    this.callsPerCaller = options.calls ?? this.callsPerCaller
    this.callsPerProject = Math.ceil((this.callers * this.callsPerCaller) / this.projects)
    this.changes = Math.min(30, Math.ceil(this.callsPerCaller / 4))
    this.steps = options.steps ?? 1_000_000
  }

  isOn(fault: Fault): boolean {
    return !this.#isHealed && this.faults.has(fault)
  }

  get isHealed(): boolean {
    return this.#isHealed
  }

  heal(): void {
    this.#isHealed = true
  }

  describe(): string {
    const { faults, seed, ...numbers } = this
    return `seed 0x${seed.toString(16)} ${JSON.stringify(numbers)} faults: ${[...faults].join(' ')}`
  }
}
