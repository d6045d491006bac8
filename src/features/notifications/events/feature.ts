import { dayMs } from '../../../base/time.ts'
import { eventDays } from '../../../contract/choices.ts'
import type { Guards } from '../../../http/guards.ts'
import type { ProjectEvent } from '../../../ledger/events.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { inRounds } from '../../../ops/maintenance.ts'
import type { Metrics } from '../../../ops/metrics.ts'
import { StoreUnavailable } from '../../../storage/engine.ts'
import { eventOperations } from './contract.ts'
import { createDispatcher, type EventObserver } from './dispatcher.ts'
import { eventRoutes } from './routes.ts'
import { createEventStore, type EventSubscriber } from './store.ts'

export interface EventsDeps {
  readonly guards: Guards
  /** Each gets every event, in this order. */
  readonly subscribers: readonly EventSubscriber[]
  /** Called once subscribers have received events and that has committed. */
  readonly onDispatched: () => void
}

export const eventsFeature = defineFeature({
  name: 'events',
  consoleOperations: eventOperations,
  build({ engine, clock, logger, operation }, { guards, subscribers, onDispatched }: EventsDeps) {
    const store = createEventStore(engine)
    const dispatched = new Map<string, number>()
    let postponed = 0
    const observer: EventObserver = {
      dispatched: (events) => {
        for (const { type } of events) dispatched.set(type, (dispatched.get(type) ?? 0) + 1)
        onDispatched()
      },
      postponed: (event, error) => {
        postponed += 1
        logger.error({ err: error, ...factsOf(event) }, 'an event was not dispatched yet')
      },
      storeFailed: (error) => logger.error({ err: error }, 'the events cannot be read'),
    }
    const isUnavailable = (error: unknown) => error instanceof StoreUnavailable
    const dispatcher = createDispatcher({ store, subscribers, clock, isUnavailable, observer })
    return {
      wake: dispatcher.wake,
      routes: eventRoutes({ operation, guards, eventLog: store }),
      // Stopped at the end, so that the events of the last outcomes are passed on too.
      workers: [{ start: dispatcher.start, stop: async () => {} }],
      finish: dispatcher.stop,
      tasks: [inRounds('prune-events', (limit) => store.prune(clock() - eventDays * dayMs, limit))],
      registerMetrics({ samples, counter, gauge }: Metrics) {
        const help = 'Events that this instance dispatched.'
        samples({ type: 'counter', name: 'gateway_events_dispatched_total', help, labels: ['type'] }, () =>
          [...dispatched].map(([type, value]) => ({ labels: { type }, value })),
        )
        counter('gateway_events_postponed_total', 'Events for which a subscriber failed.', () => postponed)
        gauge('gateway_events_due', 'Events that wait to be dispatched, across all instances.', () =>
          store.countDue(clock()),
        )
      },
    }
  },
})

const factsOf = ({ id, type, projectId }: ProjectEvent) => ({ eventId: id, type, projectId })
