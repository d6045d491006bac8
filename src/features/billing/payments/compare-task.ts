import type { Logger } from 'pino'
import { dayOf, dayText, hourMs, minuteMs, startOfDay } from '../../../base/time.ts'
import type { Task } from '../../../ops/maintenance.ts'
import type { Compare } from './compare.ts'
import type { ComparisonStore } from './comparison-store.ts'

export interface CompareTaskDeps {
  readonly compare: Compare
  readonly comparisons: ComparisonStore
  readonly methods: readonly string[]
  readonly clock: () => number
  readonly logger: Logger
}

/** Bills of yesterday are there by ten in the morning in China. */
const billHour = 10

/** Compares yesterday with the bill of each provider, once each morning. Two instances that both do it change nothing. */
export const compareTask = ({ compare, comparisons, methods, clock, logger }: CompareTaskDeps): Task => ({
  name: 'payment comparison',
  everyMs: 10 * minuteMs,
  async run(stopping) {
    const now = clock()
    if (now < startOfDay(dayOf(now)) + billHour * hourMs) return
    const date = dayText(dayOf(now) - 1)
    for (const method of methods) {
      const earlier = await comparisons.find(date, method)
      const isDone = earlier !== undefined && dayOf(earlier.comparedAt) === dayOf(now)
      if (isDone || stopping.aborted) continue
      try {
        const unsettled = (await compare(date, method)).differences.filter(({ settled }) => !settled)
        const facts = { date, method, differences: unsettled.length }
        logger[unsettled.length > 0 ? 'error' : 'info'](facts, 'the payments of a day were compared')
      } catch (error) {
        logger.warn({ date, method, err: error }, 'the payments of a day could not be compared')
      }
    }
  },
})
