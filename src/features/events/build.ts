import type { Logger } from 'pino'
import type { ProjectEvent } from '../../ledger/books.ts'
import type { Metrics } from '../../ops/metrics.ts'
import { StoreUnavailable, type Writer } from '../../storage/engine.ts'
import { createDispatcher, type EventDispatcher, type EventObserver } from './dispatcher.ts'
import type { EventQueue, EventSubscriber } from './ports.ts'

export interface Events {
  readonly dispatcher: EventDispatcher
  readonly registerMetrics: (metrics: Metrics) => void
}

export interface EventsDeps {
  readonly store: EventQueue<Writer>
  readonly clock: () => number
  readonly logger: Logger
  /** Who is told of every event, in this order. */
  readonly subscribers?: readonly EventSubscriber<Writer>[]
  /** Called after subscribers were told, once that has committed. */
  readonly onDispatched?: () => void
}

/** Constructs the dispatcher and lists who is told of events. */
export function buildEvents({ store, clock, logger, subscribers = [], onDispatched }: EventsDeps): Events {
  const dispatched = new Map<string, number>()
  let postponed = 0
  const observer: EventObserver = {
    dispatched: (events) => {
      for (const { type } of events) dispatched.set(type, (dispatched.get(type) ?? 0) + 1)
      onDispatched?.()
    },
    postponed: (event, error) => {
      postponed += 1
      logger.error({ err: error, ...factsOf(event) }, 'an event was not dispatched yet')
    },
    storeFailed: (error) => logger.error({ err: error }, 'the events cannot be read'),
  }
  const dispatcher = createDispatcher({
    store,
    subscribers,
    clock,
    isUnavailable: (error) => error instanceof StoreUnavailable,
    observer,
  })
  return {
    dispatcher,
    registerMetrics(metrics) {
      const help = 'Events that this instance dispatched.'
      metrics.samples({ type: 'counter', name: 'gateway_events_dispatched_total', help, labels: ['type'] }, () =>
        [...dispatched].map(([type, value]) => ({ labels: { type }, value })),
      )
      metrics.counter('gateway_events_postponed_total', 'Events for which a subscriber failed.', () => postponed)
      metrics.gauge('gateway_events_due', 'Events that wait to be dispatched, across all instances.', () =>
        store.countDue(clock()),
      )
    },
  }
}

const factsOf = ({ id, type, projectId }: ProjectEvent) => ({ eventId: id, type, projectId })
