import { minuteMs } from '../../../base/time.ts'
import { serviceFacts } from '../../../documents/facts.ts'
import { defineFeature } from '../../../ops/feature.ts'
import type { Activity } from '../overview/activity.ts'
import { createBoard } from './board.ts'
import { incidentOperations } from './contract.ts'
import { createFiguresWriter } from './figures.ts'
import { incidentHandlers } from './incidents.ts'
import { statusRoutes } from './routes.ts'

/** What the public may know: how well each operation works, and the incidents that operators write about. */
export const statusFeature = defineFeature({
  name: 'status',
  operatorOperations: incidentOperations,
  build({ config, engine, clock, logger }, { activity }: { readonly activity: Activity }) {
    const board = createBoard({ engine, clock })
    const figures = createFiguresWriter({ engine, activity, clock })
    return {
      routes: statusRoutes(board, serviceFacts(config)),
      operatorHandlers: incidentHandlers({ engine, clock, onChange: board.expire }),
      tasks: [
        { name: 'store-figures', everyMs: minuteMs, run: () => figures.store() },
        { name: 'refresh-status', everyMs: minuteMs, run: () => board.refresh() },
      ],
      async finish() {
        try {
          await figures.store({ isLast: true })
        } catch (error) {
          logger.warn({ err: error }, 'the last figures of the status page were not stored')
        }
      },
    }
  },
})
