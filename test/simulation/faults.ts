import type { Scene } from './actors.ts'
import type { Fault } from './plan.ts'
import type { SimulatedStore } from './store.ts'

type Strike = () => void

/** Larger faults, one after another and sometimes at once. */
export function scheduleFaults(scene: Scene, store: SimulatedStore): { heal: () => void } {
  const { world, plan, hosts } = scene
  const { random } = world
  const later = (ms: number, label: string, work: () => void) => void world.schedule(ms, world.outside, label, work)
  const anyHost = () => random.pick(hosts)

  const strikes: Readonly<Partial<Record<Fault, Strike>>> = {
    kill() {
      anyHost().kill()
    },
    restart() {
      anyHost().stop()
    },
    freeze() {
      const process = anyHost().run?.process
      if (!process || process.isFrozen) return
      process.freeze()
      later(random.pick([500, 5000, 14_000, 16_000, 31_000, 70_000]), 'thaw', () => {
        process.thaw()
        store.nudge()
      })
    },
    'lease-cut'() {
      const process = anyHost().run?.process
      if (!process) return
      store.cutOff.add(process)
      later(random.between(16_000, 40_000), 'leases are renewed again', () => store.cutOff.delete(process))
    },
    'clock-jump'() {
      const process = anyHost().run?.process
      if (process) process.skewMs += random.pick([-60_000, -5000, 5000, 60_000])
    },
    'store-outage'() {
      if (store.isDown) return
      store.isDown = true
      store.endSessions()
      // Some outlast every lease, so that whoever is back first could take the charges of the others.
      const outageMs = random.chance(0.3) ? random.between(25_000, 60_000) : random.between(100, 20_000)
      later(outageMs, 'the store is back', () => {
        store.isDown = false
      })
    },
    'end-sessions'() {
      store.endSessions()
    },
    'lock-project'() {
      store.lockProject(random.pick(scene.projects))
      later(random.between(100, 8000), 'unlock', () => store.unlockProject())
    },
    'failover-sync'() {
      if (!store.isReplicating) return
      failOver()
    },
    'failover-async'() {
      store.stopReplication()
      later(random.between(1, 400), 'the primary is lost', failOver)
    },
    'long-night'() {
      if (!scene.checks.hasArchived && random.chance(0.2)) night()
    },
  }

  function night(): void {
    scene.checks.hasArchived = true
    world.trace('a long night')
    world.skip(36 * 86_400_000)
  }

  function failOver(): void {
    store.isDown = true
    world.trace(`failover, ${store.failOver()} commits lost`)
    later(random.between(100, 12_000), 'the standby serves', () => {
      store.isDown = false
    })
  }

  function strike(): void {
    if (plan.isHealed) return
    const names = [...plan.faults].filter((name) => strikes[name])
    if (names.length > 0) {
      for (const name of random.chance(0.3) ? [random.pick(names), random.pick(names)] : [random.pick(names)]) {
        world.reach(`fault: ${name}`)
        world.trace(`fault: ${name}`)
        strikes[name]!()
      }
      later(world.stretched(random.between(1, plan.pauseMs)), 'strike', strike)
    }
  }
  later(random.between(500, plan.pauseMs), 'strike', strike)

  /** A supervisor starts what is not running. */
  function supervise(): void {
    for (const host of hosts) if (!host.run?.process.isAlive) host.start()
    later(1000, 'supervise', supervise)
  }
  later(3000, 'supervise', supervise)

  return {
    heal() {
      store.isDown = false
      store.unlockProject()
      store.replicateAgain()
      store.cutOff.clear()
      for (const { run } of hosts) if (run?.process.isFrozen) run.process.thaw()
      store.nudge()
      // In small worlds a night comes too early for many charges to be archived.
      if (plan.faults.has('long-night') && !scene.checks.hasArchived && random.chance(0.5)) night()
    },
  }
}
