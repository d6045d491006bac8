import { findRises, isLikelyFromTheStart, type Rise, type Search, type Share, TimeIsUp } from './rises.ts'
import type { SimulationResult } from './simulate.ts'
import type { RunOptions } from './world.ts'

const linesBefore = 25
const linesAfter = 10
const triesInRound = 8

interface Line {
  readonly step: number
  readonly line: string
}

export interface Explained {
  readonly run: (options: RunOptions) => Promise<Pick<SimulationResult, 'violation' | 'steps' | 'isUnfinished'>>
  readonly isTimeUp: () => boolean
  readonly print: (text: string) => void
}

/** Two failures are the same if they differ only in ids and numbers. */
const kindOf = (violation: string) => violation.replace(/\b[a-z]+_\w+|\d+/g, '#').slice(0, 60)

const percent = (share: number) => `${Math.round(100 * share)} %`

/**
 * Finds the steps that make a world fail: up to a step the world is the same, from there on its randomness is another one, several
 * times. Before a step that matters few of these worlds fail, after it most do. Returns the exit code.
 */
export async function explain({ run, isTimeUp, print }: Explained): Promise<number> {
  const lines: Line[] = []
  const onLine = (line: string, step: number) => void lines.push({ step, line })
  const { violation, steps, isUnfinished } = await run({ onLine, isOver: isTimeUp })
  if (violation === null) {
    print(isUnfinished ? 'unfinished, because the time was over' : 'this world does not fail')
    return 0
  }
  // The same bug may show much later in other worlds: that says nothing about the steps of this one.
  const lastStep = steps + (steps >> 1)
  print(`violation after ${steps} steps: ${violation}`)
  const isOver = (step: number) => step > lastStep || isTimeUp()
  const share: Share = async (step, round) => {
    let failed = 0
    for (let attempt = 1; attempt <= triesInRound; attempt += 1) {
      const result = await run({ change: { step, salt: round * triesInRound + attempt }, isOver })
      if (isTimeUp()) throw new TimeIsUp()
      if (result.violation !== null && kindOf(result.violation) === kindOf(violation)) failed += 1
    }
    return failed / triesInRound
  }
  const search = await findRises(steps, share)
  const shares = search.points.map((point) => `${point.step}: ${percent(point.share)}`).join(', ')
  print(`with other randomness from a step on, so many fail in the same way within ${lastStep} steps: ${shares}`)
  print(describe(search, lines).join('\n'))
  return 1
}

function describe(search: Search, lines: readonly Line[]): string[] {
  const { rises, isUnfinished, unfinished } = search
  const found = rises.flatMap((rise) => describeStep(rise, lines))
  if (isUnfinished) {
    const soFar = unfinished ? `; it was at the steps ${unfinished.low.step} to ${unfinished.high.step - 1}` : ''
    return [...found, `unfinished, because the time was over: give it more --minutes, or a smaller world${soFar}`]
  }
  if (isLikelyFromTheStart(search)) return ['no single step: most worlds with these options fail']
  return found.length > 0 ? found : ['no single step makes it much more likely']
}

/** Most events are these, and say little. */
const isFrequent = ({ line }: Line) =>
  / ((to|from) the store|the server|timer|soon|idle limit|supervise)$/.test(line.trimEnd())

function describeStep({ low, high }: Rise, lines: readonly Line[]): string[] {
  const shown = lines.filter((line) => line.step === low.step || !isFrequent(line))
  const texts = (some: readonly Line[]) => some.map(({ step, line }) => `  ${step} ${line.trimEnd()}`)
  return [
    `step ${low.step} makes it likely: ${percent(low.share)} fail if it is changed too, ${percent(high.share)} if it stays. Up to it:`,
    ...texts(shown.filter(({ step }) => step <= low.step).slice(-linesBefore)),
    'and after it:',
    ...texts(shown.filter(({ step }) => step > low.step).slice(0, linesAfter)),
  ]
}
