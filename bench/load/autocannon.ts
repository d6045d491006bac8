import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadGenerator } from './load.ts'
import { runGenerator } from './run-generator.ts'

const script = fileURLToPath(new URL('./run-autocannon.ts', import.meta.url))
const peers = new URL('../peers/package.json', import.meta.url)

/** For machines without wrk. It runs on Node, so it needs a core and limits the fastest servers. */
export function createAutocannon(workDir: string): LoadGenerator {
  const { version } = createRequire(peers)('autocannon/package.json') as { version: string }
  let runs = 0
  return {
    name: `autocannon ${version}`,
    async drive(plan, options) {
      runs += 1
      const planFile = join(workDir, `plan-${runs}.json`)
      await writeFile(planFile, JSON.stringify({ plan, options }))
      return runGenerator(process.execPath, [script, planFile], options.seconds)
    },
  }
}
