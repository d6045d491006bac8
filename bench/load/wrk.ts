import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadGenerator, LoadPlan } from './load.ts'
import { runGenerator } from './run-generator.ts'

const script = fileURLToPath(new URL('./wrk.lua', import.meta.url))

/** wrk with one thread, which sends several times what one Node process can serve. */
export function createWrk(version: string, workDir: string): LoadGenerator {
  let runs = 0
  return {
    name: version,
    async drive(plan, { connections, seconds }) {
      // One file per run, because runs may overlap.
      runs += 1
      const planFile = join(workDir, `plan-${runs}.lua`)
      await writeFile(planFile, luaPlan(plan))
      const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '--latency', '-s', script]
      return runGenerator('wrk', [...options, plan.origin, '--', planFile], seconds)
    },
  }
}

function luaPlan({ origin, method, path, headers, body, bearers, intents }: LoadPlan): string {
  const entries = Object.entries(headers).map(([name, value]) => `[ ${quoted(name)} ] = ${quoted(value)}`)
  return `return {
  host = ${quoted(new URL(origin).host)}, method = ${quoted(method)}, path = ${quoted(path)},
  headers = {${entries.join(', ')}},
  body = ${body === null ? 'nil' : quoted(body)},
  bearers = {${bearers.map(quoted).join(', ')}},
  prefix = ${quoted(intents.prefix)}, stored = ${intents.stored ?? 'nil'},
}\n`
}

/** A Lua long string needs no escaping. */
const quoted = (text: string) => `[==[${text}]==]`
