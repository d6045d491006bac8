import './synchronous-node.ts'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { runOnCores } from './cores.ts'
import { explain } from './explain.ts'
import { type Fault, faultNames, Plan, type PlanOptions } from './plan.ts'
import { runPlanted } from './planted.ts'
import { expectedReach } from './reach.ts'
import { commandOf, shrink } from './shrink.ts'
import { simulate } from './simulate.ts'
import { createTemplate, type Template } from './template.ts'
import { addWorld, describeReach, describeTotals, noTotals, type Totals } from './totals.ts'
import { versionReach } from './versions/reach.ts'
import { ReleaseMissing, releaseMissingCode } from './versions/release.ts'
import { createVersionsTemplate } from './versions/versions.ts'

/** `npm run simulate`: see docs/simulation.md. */

const options = {
  seed: { type: 'string' },
  seeds: { type: 'string' },
  /** The distance between two seeds; for the processes of several cores. */
  every: { type: 'string', default: '1' },
  minutes: { type: 'string' },
  cores: { type: 'string' },
  steps: { type: 'string' },
  gateways: { type: 'string' },
  callers: { type: 'string' },
  calls: { type: 'string' },
  without: { type: 'string' },
  with: { type: 'string' },
  trace: { type: 'boolean', default: false },
  explain: { type: 'string' },
  planted: { type: 'boolean', default: false },
  versions: { type: 'boolean', default: false },
  model: { type: 'string' },
  disk: { type: 'boolean', default: false },
  'no-shrink': { type: 'boolean', default: false },
} as const

const usage = `usage: npm run simulate -- [--seed N] [--seeds N] [--minutes N] [--cores N] [--steps N] [--gateways N] [--callers N]
  [--calls N] [--without fault,fault] [--with fault,fault] [--trace] [--planted [name ...]] [--versions] [--no-shrink]
  [--model SCHEDULES]
  npm run simulate -- --explain SEED [--minutes N] [--steps N] [--gateways N] [--callers N] [--calls N]
  [--without fault,fault] [--with fault,fault] [--versions]
  npm run simulate -- --disk [--seed N] [--seeds N] [--minutes N]`

function wrongCall(fault: string): never {
  console.error(`${fault}\n${usage}`)
  process.exit(2)
}

const startedAt = Date.now()
const { values, positionals } = readArguments()

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return wrongCall((error as Error).message)
  }
}

const number = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) wrongCall(`${text} is not a whole number`)
  return value
}

function optionsOf(seed: number): PlanOptions {
  const namesIn = (text: string | undefined) => (text?.split(',') ?? []) as Fault[]
  const [without, wanted] = [namesIn(values.without), namesIn(values.with)]
  const unknown = [...without, ...wanted].filter((name) => !faultNames.includes(name))
  if (unknown.length > 0) wrongCall(`there is no fault ${unknown.join(', ')}; there are ${faultNames.join(', ')}`)
  const sizes = {
    gateways: number(values.gateways),
    callers: number(values.callers),
    calls: number(values.calls),
    steps: number(values.steps),
  }
  const given = Object.fromEntries(Object.entries(sizes).filter(([, value]) => value !== undefined))
  return { seed, without, with: wanted, ...given }
}

function minutesOf(text: string): number {
  const value = Number(text)
  return value > 0 ? value : wrongCall(`${text} is not a number of minutes`)
}

async function openTemplate(): Promise<Template> {
  if (!values.versions) return createTemplate()
  try {
    return await createVersionsTemplate()
  } catch (error) {
    if (!(error instanceof ReleaseMissing)) throw error
    console.error(error.message)
    process.exit(releaseMissingCode)
  }
}

const isOne = values.seed !== undefined && values.seeds === undefined && values.minutes === undefined
// Without a seed every run is a new one.
const from = number(values.seed) ?? Math.floor(Math.random() * 2 ** 40)
const count = isOne ? 1 : (number(values.seeds) ?? (values.minutes === undefined ? 100 : Number.POSITIVE_INFINITY))
const cores = number(values.cores) || (values.minutes === undefined ? 1 : availableParallelism())

/** Runs seed after seed; the exit code is 1 after a violation. */
async function runSeeds(totals: Totals): Promise<number> {
  const end = values.minutes === undefined ? Number.POSITIVE_INFINITY : startedAt + minutesOf(values.minutes) * 60_000
  const every = number(values.every)!
  // The repeated seed has stacks; here they take a tenth of the time.
  if (!isOne) Error.stackTraceLimit = 0
  const template = await openTemplate()
  let isStopped = false
  // The totals of the seeds that were run are printed all the same.
  process.once('SIGTERM', () => {
    isStopped = true
  })
  const isOver = () => isStopped || Date.now() >= end
  try {
    for (let seed = from; seed < from + count * every && !isOver(); seed += every) {
      const options = optionsOf(seed)
      const onTrace = values.trace ? (line: string) => process.stdout.write(line) : null
      const result = await simulate(template, options, { onTrace, isOver })
      addWorld(totals, result)
      if (result.isUnfinished) console.log(`unfinished, because the time was over: ${commandOf(options)}`)
      if (isOne) console.log(`${result.plan.describe()}\n${result.digest}`)
      if (result.violation !== null) {
        console.log(`${result.plan.describe()}\nviolation: ${result.violation}`)
        const smaller = values['no-shrink'] ? options : await shrink(template, options, isOver)
        console.log(`repeat it: ${commandOf(smaller)}${values.versions ? ' --versions' : ''}`)
        return 1
      }
    }
    return 0
  } finally {
    template.remove()
  }
}

/** On several cores, other processes run the seeds and report to this one. */
async function runAll(): Promise<number> {
  const totals = noTotals()
  let exitCode: number
  try {
    const runs = { from, count, more: process.argv.slice(2) }
    exitCode = await (cores === 1 ? runSeeds(totals) : runOnCores(cores, runs, totals))
  } finally {
    if (process.send) process.send(totals, () => process.disconnect())
    else console.log(describeTotals(totals, from, { cores, tookMs: Date.now() - startedAt }))
  }
  if (exitCode === 0 && !isOne && !process.send)
    console.log(describeReach(totals, values.versions ? versionReach : expectedReach))
  return exitCode
}

async function explainSeed(seed: number): Promise<number> {
  if (values.seed !== undefined || values.seeds !== undefined) wrongCall('--explain has its own seed')
  const end = startedAt + minutesOf(values.minutes ?? '5') * 60_000
  const options = optionsOf(seed)
  // Many worlds, as in a run of many seeds.
  Error.stackTraceLimit = 0
  const template = await openTemplate()
  try {
    console.log(new Plan(options).describe())
    return await explain({
      run: (run) => simulate(template, options, run),
      isTimeUp: () => Date.now() >= end,
      print: console.log,
    })
  } finally {
    template.remove()
  }
}

/** Compares the model of PostgreSQL with a real one. */
async function runModel(schedules: number): Promise<number> {
  const [{ startPostgres }, { checkModel }] = await Promise.all([
    import('../../testkit/store/postgres-server.ts'),
    import('./postgres/model-check.ts'),
  ])
  const server = await startPostgres({ fsync: false })
  try {
    console.log(JSON.stringify(await checkModel(server.url, { schedules, seed: number(values.seed) ?? 1 })))
    return 0
  } catch (error) {
    console.log((error as Error).message)
    return 1
  } finally {
    await server.remove()
  }
}

/** Power cuts and disks that lie, on real files. */
async function runDisks(): Promise<number> {
  const { reportDisk } = await import('./disk/run-disk.ts')
  const end = values.minutes === undefined ? Number.POSITIVE_INFINITY : startedAt + minutesOf(values.minutes) * 60_000
  const seeds = number(values.seeds) ?? (values.minutes === undefined ? 1 : Number.POSITIVE_INFINITY)
  return reportDisk({ from, seeds, isOver: () => Date.now() >= end })
}

if (positionals.length > 0 && !values.planted) wrongCall(`${positionals.join(' ')} is not an option`)
const schedules = number(values.model)
if (schedules !== undefined) process.exitCode = await runModel(schedules)
else if (values.disk) process.exitCode = await runDisks()
else if (values.planted) process.exitCode = await runPlanted(number(values.seeds) ?? 1000, positionals)
else if (values.explain !== undefined) process.exitCode = await explainSeed(number(values.explain)!)
else process.exitCode = await runAll()
