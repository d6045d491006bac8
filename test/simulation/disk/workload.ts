import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { now } from '../../../src/base/clock.ts'
import { newId } from '../../../src/base/ids.ts'
import { systemRandomness, useRandomness } from '../../../src/base/randomness.ts'
import { dayMs } from '../../../src/base/time.ts'
import { createArchiver } from '../../../src/features/records/archives/archiver.ts'
import { archivesOf } from '../../../src/features/records/archives/feature.ts'
import { createArchiveStore } from '../../../src/features/records/archives/store.ts'
import { createTileCache } from '../../../src/features/records/transparency/log-store.ts'
import { createPublisher } from '../../../src/features/records/transparency/publisher.ts'
import { createSequencer } from '../../../src/features/records/transparency/sequencer.ts'
import { createSigningKeys } from '../../../src/features/records/transparency/signing-keys.ts'
import { buildStep } from '../../../src/features/records/transparency/tree-step.ts'
import { checkSecret, createSecretStore } from '../../../src/ops/secrets.ts'
import type { OpenedEngine } from '../../../src/storage/open-store.ts'
import { createTestAdministration } from '../../../testkit/store/administration.ts'
import {
  addCredits,
  type ChatOutcome,
  type Customer,
  chatCall,
  chatResult,
  createCustomer,
  createRig,
  createTestRelay,
  testOperations,
} from '../../../testkit/store/rig.ts'
import type { Prng } from '../prng.ts'
import { silentLogger } from '../silent-logger.ts'
import { configOf, keyring, newFolder, removeFolder, retentionDays, storeName } from './installation.ts'
import { type Moment, Recorder } from './recorder.ts'

/** A call that was answered, and the moment by which it was. */
export interface AnsweredCall {
  readonly customer: Customer
  readonly idempotencyKey: string
  readonly prompt: string
  readonly body: string
  readonly moment: number
  /** Due for the archive, which remembers that the Idempotency-Key was used, and not the response. */
  readonly isOld: boolean
}

export interface Recording {
  readonly moments: readonly Moment[]
  /** Settled calls, the oldest first. */
  readonly calls: readonly AnsweredCall[]
}

/** Runs a store with customers, payments, grants, the public tree and archives, and records each of its commits. */
export async function record(store: Buffer, random: Prng, steps: number): Promise<Recording> {
  const dataDir = newFolder()
  useRandomness({ fill: (bytes) => random.fill(bytes) })
  try {
    writeFileSync(join(dataDir, storeName), store, { mode: 0o600 })
    const recorder = new Recorder(dataDir)
    const engine = await recorder.openShort(silentLogger)
    try {
      const life = new Life(engine, recorder, dataDir, random)
      await life.live(steps)
      return { moments: recorder.moments, calls: life.calls }
    } finally {
      await engine.close()
    }
  } finally {
    useRandomness(systemRandomness)
    removeFolder(dataDir)
    removeFolder(`${dataDir}.json`)
  }
}

/** Old calls are from this time before now, so that they are due for the archive. */
const oldMs = (retentionDays + 5) * dayMs

class Life {
  readonly calls: AnsweredCall[] = []
  readonly #engine: OpenedEngine
  readonly #recorder: Recorder
  readonly #dataDir: string
  readonly #random: Prng
  readonly #customers: Customer[] = []
  #backMs = oldMs
  #next = 0

  constructor(engine: OpenedEngine, recorder: Recorder, dataDir: string, random: Prng) {
    this.#engine = engine
    this.#recorder = recorder
    this.#dataDir = dataDir
    this.#random = random
  }

  readonly #clock = () => now() - this.#backMs

  async live(steps: number): Promise<void> {
    const engine = this.#engine
    const clock = this.#clock
    await checkSecret(createSecretStore(engine), keyring, clock)
    const rig = createRig(engine, { clock })
    const relay = createTestRelay(
      rig,
      testOperations((prompt) => this.#perform(prompt)),
    )
    const act = createTestAdministration({ engine, ledger: rig.ledger, clock })
    const tree = this.#tree()
    const archive = this.#archiver()
    const join = async () => {
      const customer = await createCustomer(rig)
      await addCredits(rig, customer.projectId, 1000)
      this.#customers.push(customer)
    }
    const chat = async (prompt: string) => {
      const customer = this.#random.pick(this.#customers)
      const idempotencyKey = this.#newName('call')
      const { status, body } = await relay.run(chatCall(customer, idempotencyKey, prompt))
      if (status !== 200) return
      const isOld = this.#backMs > 0
      this.calls.push({ customer, idempotencyKey, prompt, body, moment: this.#recorder.last, isOld })
    }
    const turns: Record<string, () => Promise<unknown>> = {
      join,
      call: () => chat(prompts.settled),
      calls: () => Promise.all([1, 2, 3].map(() => chat(prompts.settled))),
      release: () => chat(prompts.released).catch(() => {}),
      review: () => chat(prompts.uncertain),
      recharge: () => addCredits(rig, this.#random.pick(this.#customers).projectId, 50),
      grant: () => act.moveCredits(operator, { ...grant, ...this.#movement() }),
      key: () => rig.keys.create(this.#random.pick(this.#customers).projectId, ['models:invoke']),
      tree,
    }
    await join()
    for (let step = 0; step < steps; step += 1) {
      if (step === Math.floor(steps / 3)) this.#backMs = 0
      if (step === Math.floor((steps * 2) / 3)) await archive()
      await turns[this.#random.pick(often)]!()
      this.#recorder.note()
    }
    // Calls that a power cut interrupts: their credits are reserved, and no caller was answered.
    for (const _ of [1, 2]) void chat(prompts.endless)
    await chat(prompts.settled)
  }

  #newName(what: string): string {
    this.#next += 1
    return `${what} ${this.#next}`
  }

  #perform(prompt: string): Promise<ChatOutcome> {
    if (prompt === prompts.endless) return new Promise(() => {})
    if (prompt === prompts.uncertain)
      return Promise.resolve({ kind: 'uncertain', reason: 'PROVIDER_TIMED_OUT', sent: true })
    if (prompt === prompts.released)
      return Promise.resolve({ kind: 'unavailable', code: 'PROVIDER_UNAVAILABLE', sent: false })
    return Promise.resolve(chatResult('x'.repeat(this.#random.between(1, 3000))))
  }

  #movement() {
    const projectId = this.#random.pick(this.#customers).projectId
    return { projectId, credits: this.#random.between(1, 50), reference: this.#newName('transfer') }
  }

  /** Appends to the public tree, and keeps the checkpoint in its file. */
  #tree(): () => Promise<void> {
    const engine = this.#engine
    const clock = this.#clock
    const config = configOf(this.#dataDir)
    const tiles = createTileCache()
    const keys = createSigningKeys({ engine, keyring, clock })
    const publisher = createPublisher({ engine, dataDir: this.#dataDir, tiles, onRefused: throwIt })
    const shared = { engine, instanceId: newId('ins'), gateway: config.origin, keys, publisher, tiles, clock }
    const { step } = createSequencer({ ...shared, build: buildStep, onFault: throwIt })
    return async () => {
      while (await step());
    }
  }

  #archiver(): () => Promise<unknown> {
    const archiver = createArchiver({
      store: createArchiveStore(this.#engine),
      // The folder may be in memory, which a gateway refuses.
      directory: { ...archivesOf({ dataDir: this.#dataDir }), isInMemory: async () => false },
      lockDirectory: async () => ({ release: () => {} }),
      ...{ holder: 'disk', host: 'disk', clock: now, retentionDays, resultDays: 30, pauseMs: 0 },
    })
    return async () => {
      const { refusal } = await archiver.run()
      if (refusal !== null) throw new Error(`nothing was archived: ${refusal.because}`)
    }
  }
}

const throwIt = (...faults: unknown[]): never => {
  throw new Error(faults.map(String).join(' '))
}

const prompts = { settled: 'hello', released: 'released', uncertain: 'uncertain', endless: 'endless' }
const operator = { name: 'ann', via: 'command line' } as const
const grant = { kind: 'grant', reason: 'a bank transfer', again: true } as const
const often = [
  ...['call', 'call', 'call', 'calls', 'calls', 'tree', 'tree'],
  ...['join', 'release', 'review', 'recharge', 'grant', 'key'],
]
