import { parseArgs } from 'node:util'
import { simulate } from './simulate.ts'
import { createTemplate } from './template.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string' },
    minutes: { type: 'string' },
    seeds: { type: 'string' },
    trace: { type: 'boolean' },
  },
})
const template = await createTemplate()
const from = Number(values.seed ?? 1)
const count = Number(values.seeds ?? 1)
let calls = 0
let steps = 0
const t0 = performance.now()
try {
  for (let seed = from; seed < from + count; seed += 1) {
    const started = performance.now()
    const result = await simulate(template, { seed }, values.trace ? (line) => process.stdout.write(line) : null)
    calls += result.calls
    steps += result.steps
    if (count === 1 || performance.now() - started > 15000)
      console.log(result.plan.describe(), result.steps, result.virtualMs, Math.round(performance.now() - started))
    if (result.violation) console.log(seed, result.violation.slice(0, 600))
  }
} finally {
  template.remove()
}
console.log({ calls, steps, ms: Math.round(performance.now() - t0) })
