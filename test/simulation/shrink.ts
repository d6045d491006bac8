import { type Fault, Plan, type PlanOptions } from './plan.ts'
import { simulate } from './simulate.ts'
import type { Template } from './template.ts'

const maxRuns = 60

/** A smaller world that still fails: fewer faults, callers, calls, gateways and steps. */
export async function shrink(template: Template, failing: PlanOptions, isOver = () => false): Promise<PlanOptions> {
  let best = failing
  let runs = 0
  const isEnough = () => runs >= maxRuns || isOver()
  const stillFails = async (options: PlanOptions) => {
    runs += 1
    const { violation } = await simulate(template, options, { isOver })
    if (violation !== null) best = options
    return violation !== null
  }
  const first = new Plan(failing)
  for (const fault of first.faults) {
    if (isEnough()) return best
    await stillFails({ ...best, without: [...(best.without ?? []), fault as Fault] })
  }
  for (const name of ['callers', 'calls', 'gateways'] as const) {
    const size = name === 'calls' ? first.callsPerCaller : first[name]
    for (let value = size >> 1; value >= 1 && !isEnough(); value >>= 1) {
      if (!(await stillFails({ ...best, [name]: value }))) break
    }
  }
  if (isEnough()) return best
  const { steps } = await simulate(template, best, { isOver })
  for (let value = steps >> 1; value > 100 && !isEnough(); value >>= 1) {
    if (!(await stillFails({ ...best, steps: value }))) break
  }
  return best
}

/** The line that repeats it. */
export function commandOf({
  seed,
  gateways,
  callers,
  calls,
  steps,
  without = [],
  with: wanted = [],
}: PlanOptions): string {
  const numbers = Object.entries({ gateways, callers, calls, steps }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  )
  return [
    `npm run simulate -- --seed 0x${seed.toString(16)}`,
    ...numbers,
    ...(without.length > 0 ? [`--without ${without.join(',')}`] : []),
    ...(wanted.length > 0 ? [`--with ${wanted.join(',')}`] : []),
  ].join(' ')
}
