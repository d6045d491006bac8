import { writeSync } from 'node:fs'
import type { SequencerDeps } from '../../src/features/records/transparency/sequencer.ts'
import type { Writer } from '../../src/storage/engine.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { silent } from '../store/silent.ts'
import { createTree } from './tree-rig.ts'

/**
 * One instance that appends what is there and ends, as a process of its own. It kills itself with SIGKILL at the given step:
 * before or after a transaction, or before any of its statements. Prints how many steps there were.
 */
const [databaseUrl, dataDir, instanceId, killAt] = process.argv.slice(2) as [string, string, string, string]
let steps = 0

function reach(): void {
  steps += 1
  if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}

const store = await openStore({ databaseUrl, dataDir, exclusive: false, clock: Date.now, logger: silent })
const engine: SequencerDeps['engine'] = {
  kind: store.kind,
  async read(work) {
    reach()
    return store.read(work)
  },
  async write(work) {
    reach()
    const result = await store.write(async (tx) => {
      const counted = {
        ...{ all: tx.all.bind(tx), get: tx.get.bind(tx) },
        run: (sql: string, params: never[] = []) => {
          reach()
          return tx.run(sql, params)
        },
      } as Writer
      const worked = await work(counted)
      reach()
      return worked
    })
    reach()
    return result
  },
}
const tree = createTree({ engine, dataDir, instanceId, batch: 8 })
await tree.settle()
await store.close()
writeSync(1, String(steps))
