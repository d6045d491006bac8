import { Prng } from '../prng.ts'
import { fillDisk } from './full-disk.ts'
import { type Image, type Lie, lieNames, makeImage } from './images.ts'
import { newStore } from './installation.ts'
import { restart, type Verdict } from './restart.ts'
import { type Recording, record } from './workload.ts'

export interface DiskOptions {
  readonly from: number
  readonly seeds: number
  readonly isOver?: () => boolean
  /** Images of each kind and seed. */
  readonly images?: number
  /** Without it, no process is started. */
  readonly fillsDisk?: boolean
  readonly steps?: number
  /** Kills the process when the test is over before its time. */
  readonly signal?: AbortSignal
}

type Outcome = Verdict['outcome']
export type Counts = Map<Lie, Map<Outcome, number>>

export interface DiskResult {
  /** Of the first seed that has any. */
  readonly violations: readonly string[]
  readonly seeds: number
  readonly images: number
  readonly moments: number
  readonly counts: Counts
  /** Lines of refusals and of what was noticed, without numbers and names. */
  readonly lines: ReadonlyMap<string, number>
}

/** Records a store for each seed, cuts its power in many ways, and starts a gateway on what is left. */
export async function runDisk({
  from,
  seeds,
  isOver = () => false,
  images = 3,
  fillsDisk = true,
  steps = 40,
  signal,
}: DiskOptions): Promise<DiskResult> {
  const tally = new Tally()
  const store = await newStore()
  let done = 0
  for (let seed = from; seed < from + seeds && !isOver(); seed += 1) {
    const random = new Prng(seed, 3)
    const recording = await record(store, random, steps)
    const others = (await record(store, new Prng(seed, 4), Math.ceil(steps / 3))).moments
    tally.moments += recording.moments.length
    const scene = { moments: recording.moments, others, random }
    for (let round = 0; round < images; round += 1) {
      for (const kind of lieNames) {
        if (isOver()) break
        const image = makeImage(kind, scene)
        if (image) await tryImage(tally, seed, image, recording, random)
      }
    }
    if (fillsDisk && !isOver()) {
      const full = await fillDisk(recording, random, signal)
      if (full.refused === 0) tally.violations.push(`seed ${seed}: the disk never got full`)
      else tally.add(seed, full.image, await restart(full.image, full.recording))
    }
    if (tally.violations.length > 0) break
    if (!isOver()) done += 1
  }
  const { violations, moments, counts, lines } = tally
  return { violations, seeds: done, images: tally.images, moments, counts, lines }
}

/** An honest power cut is followed by another one, which finds what the first one left. */
async function tryImage(tally: Tally, seed: number, image: Image, recording: Recording, random: Prng): Promise<void> {
  const verdict = await restart(image, recording)
  tally.add(seed, image, verdict)
  if (!image.isHonest || verdict.outcome === 'WRONG') return
  const { moments } = verdict.after
  const next = makeImage('second power cut', { moments, others: moments, random })
  if (next) tally.add(seed, next, await restart(next, verdict.after))
}

class Tally {
  readonly violations: string[] = []
  images = 0
  moments = 0
  readonly counts: Counts = new Map()
  readonly lines = new Map<string, number>()

  add(seed: number, { kind, about }: Image, { outcome, line }: Verdict): void {
    this.images += 1
    const counted = this.counts.get(kind) ?? new Map<Outcome, number>()
    counted.set(outcome, (counted.get(outcome) ?? 0) + 1)
    this.counts.set(kind, counted)
    if (outcome === 'WRONG') {
      this.violations.push(`seed 0x${seed.toString(16)}: ${about}: ${line}`)
      return
    }
    if (line === '') return
    const text = `${outcome}: ${line.replaceAll(/\b\w*\d[\w.]*\b/g, 'N')}`
    this.lines.set(text, (this.lines.get(text) ?? 0) + 1)
  }
}

const outcomes = ['refused', 'served all', 'served a prefix', 'served, and noticed', 'served damage', 'WRONG'] as const

/** The table of docs/simulation.md. */
export function tableOf(counts: Counts): string {
  const rows = [...counts].map(([kind, counted]) => {
    const numbers = outcomes.map((outcome) => counted.get(outcome) ?? 0)
    return [kind, numbers.reduce((sum, number) => sum + number, 0), ...numbers]
  })
  const lines = [['lie', 'images', ...outcomes], Array(outcomes.length + 2).fill('---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Prints the table, the lines and the first violation; 1 if there is one. */
export async function reportDisk(options: DiskOptions): Promise<number> {
  // Each start would be a new thread, which loads the same files again.
  await import('../../../testkit/store/reuse-threads.ts')
  const { violations, seeds, images, moments, counts, lines } = await runDisk(options)
  console.log(tableOf(counts))
  for (const [line, times] of [...lines].sort((a, b) => b[1] - a[1])) console.log(`${times} ${line}`)
  const from = `0x${options.from.toString(16)}`
  for (const violation of violations) console.log(`violation: ${violation}`)
  console.log(JSON.stringify({ from, seeds, images, moments }))
  return violations.length === 0 ? 0 : 1
}
