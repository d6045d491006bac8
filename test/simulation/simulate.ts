import './synchronous-node.ts'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { CallbackSender, CallingPerson, PayingPerson, Person, type Scene } from './actors.ts'
import { Checks } from './checks.ts'
import { currentCode } from './code.ts'
import { scheduleFaults } from './faults.ts'
import { GatewayHost } from './gateways.ts'
import { createLeaseCheck } from './leases.ts'
import { lives } from './lives/lives.ts'
import { publicLog } from './lives/public-log.ts'
import { createNetwork } from './network.ts'
import { Operator } from './operator.ts'
import { ProviderRecords } from './payments.ts'
import { Plan, type PlanOptions } from './plan.ts'
import { comeToRest, finish } from './rest.ts'
import { SimulatedStore } from './store.ts'
import type { Template } from './template.ts'
import { createUpstreams, Truth } from './upstreams.ts'
import { Upgrade } from './versions/upgrade.ts'
import { type RunOptions, World } from './world.ts'

export interface SimulationResult {
  readonly violation: string | null
  /** Whether its time was over first: what came to rest was not checked then. */
  readonly isUnfinished: boolean
  readonly plan: Plan
  readonly calls: number
  readonly steps: number
  readonly virtualMs: number
  readonly commits: number
  /** Of everything that happened, in order. */
  readonly digest: string
  readonly reached: ReadonlyMap<string, number>
}

const maxRunMs = 3_600_000

/** Runs one world: people and gateways under faults, then everything heals and must come to rest. */
export async function simulate(
  template: Template,
  options: PlanOptions,
  run: RunOptions = {},
): Promise<SimulationResult> {
  const plan = new Plan(options)
  const world = new World(options.seed, run)
  world.slowness = plan.slowness
  const truth = new Truth()
  const store = new SimulatedStore(world, plan, template.store)
  const payments = new ProviderRecords(world)
  const { config, versions } = template
  const checks = new Checks(world, store, { truth, payments, hasLastRelease: versions !== undefined })
  // Files of an earlier world must not change this one.
  for (const folder of ['archives', 'transparency'])
    rmSync(join(config.dataDir, folder), { recursive: true, force: true })
  // The last release looked at its lease less often.
  const onSend = versions ? () => {} : createLeaseCheck(world, store, truth)
  world.useNetwork(createNetwork(world, createUpstreams(world, plan, truth), onSend))
  const onRejection = (error: unknown) => world.fail(`unhandled: ${(error as Error)?.stack ?? error}`)
  process.on('unhandledRejection', onRejection)
  try {
    const code = versions?.previous ?? currentCode
    const hosts = Array.from(
      { length: plan.gateways },
      (_, index) => new GatewayHost(`gateway${index + 1}`, { world, plan, store, truth, payments, config, code }),
    )
    const chosen = template.payers.slice(0, plan.projects)
    const projects = chosen.map(({ projectId }) => projectId)
    const scene: Scene = { world, plan, truth, payments, checks, hosts, projects }
    const payers = chosen.map((payer) => new PayingPerson(payer, scene))
    const callers = Array.from(
      { length: plan.callers },
      (_, index) => new CallingPerson(index + 1, payers[index % payers.length]!, scene),
    )
    const operators = ['ann', 'bo'].map((name) => new Operator(name, scene, store, { config, payers: chosen, code }))
    // The others act as programs of this version, before the store has its schema.
    const lived = (versions ? [publicLog] : lives).map((begin) => begin({ ...scene, store, template, payers, callers }))
    const others = lived.flatMap(({ people = [] }) => people)
    for (const host of hosts) host.start()
    for (const actor of others) actor.start()
    for (const person of [...payers, ...callers]) person.start()
    const acting = plan.isOn('operators') ? operators : []
    for (const operator of acting) operator.start()
    const faults = scheduleFaults(scene, store)
    const upgrade = versions && new Upgrade(scene, store, { versions, config, payers: chosen })
    upgrade?.start()
    const everybody = [...callers, ...payers]
    await world.runUntil(() => everybody.every(({ isDone }) => isDone) || world.steps >= plan.steps, maxRunMs)
    if (world.violation === null && !world.isCutShort) {
      plan.heal()
      faults.heal()
      const actors = [...everybody, ...acting, ...others]
      await finish(
        world,
        actors,
        actors.filter((actor) => actor instanceof Person),
      )
      await world.runUntil(() => upgrade?.isDone ?? true, maxRunMs)
      if (upgrade && !upgrade.isDone && !world.isCutShort) world.fail('the upgrade did not end')
      // Providers repeat their callbacks for a day.
      const sender = new CallbackSender(scene)
      sender.start()
      await finish(world, [sender], [sender])
      await comeToRest(world, store)
      for (const actor of lived.flatMap((life) => life.last ?? [])) {
        actor.start()
        await finish(world, [actor], [])
      }
      await comeToRest(world, store)
      if (world.violation === null && !world.isCutShort) {
        await checks.atTheEnd()
        for (const { check } of lived) await check?.()
      }
    }
    for (const host of hosts) host.kill()
    await world.settled()
    return {
      violation: world.violation,
      isUnfinished: world.isCutShort,
      plan,
      calls: callers.reduce((sum, caller) => sum + caller.calls, 0),
      steps: world.steps,
      virtualMs: Math.round(world.time),
      commits: store.commits,
      digest: world.traceDigest(),
      reached: world.reached,
    }
  } finally {
    process.off('unhandledRejection', onRejection)
    store.db.close()
    world.end()
  }
}
