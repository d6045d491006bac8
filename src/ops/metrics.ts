import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { delay } from '../base/timers.ts'
import { missingMemoryFlags } from './memory-flags.ts'

export interface Metrics {
  readonly observeRequest: (request: {
    operationId: string
    status: number
    code: string | null
    durationMs: number
    begunMs?: number
    isShed?: boolean
  }) => void
  readonly countRefusedConnection: () => void
  /** A number that only grows, read at each scrape. */
  readonly counter: (name: string, help: string, read: () => number) => void
  /** A number read at each scrape; NaN if it cannot be read. */
  readonly gauge: (name: string, help: string, read: () => number | Promise<number>) => void
  /** A gauge with one label, such as the breaker state of each provider. */
  readonly labelledGauge: (name: string, help: string, label: string, read: () => Record<string, number>) => void
  /** Numbers with several labels, read at each scrape; none if they cannot be read. */
  readonly samples: (series: MetricSeries, read: () => MetricSample[] | Promise<MetricSample[]>) => void
  readonly text: () => Promise<string>
  readonly contentType: string
}

interface MetricSeries {
  readonly type: 'counter' | 'gauge'
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

export interface MetricSample {
  readonly labels: Record<string, string>
  readonly value: number
}

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Shorter than a scraper's timeout. */
const readTimeoutMs = 2000

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const scraped = scrapedMetrics(registry)
  scraped.gauge(
    'gateway_memory_flags_missing',
    'V8 flags that bound the memory and were not given at the start.',
    () => {
      return missingMemoryFlags().length
    },
  )
  return {
    ...requestMetrics(registry),
    ...scraped,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function requestMetrics(registry: Registry): Pick<Metrics, 'observeRequest' | 'countRefusedConnection'> {
  const registers = [registry]
  const requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Requests by operation, status and error code.',
    labelNames: ['operation', 'status', 'code'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Time from receiving a request to its response, or to the first part of a stream, by operation.',
    labelNames: ['operation'] as const,
    buckets: durationBuckets,
    registers,
  })
  const shed = new Counter({
    name: 'gateway_requests_shed_total',
    help: 'Requests refused before any other check because the gateway was overloaded, by operation.',
    labelNames: ['operation'] as const,
    registers,
  })
  const refusedConnections = new Counter({
    name: 'gateway_connections_refused_total',
    help: 'Connections closed because there were too many, in total or from one address.',
    registers,
  })
  return {
    countRefusedConnection: () => refusedConnections.inc(),
    observeRequest({ operationId, status, code, durationMs, begunMs, isShed }) {
      if (isShed) shed.inc({ operation: operationId })
      requests.inc({ operation: operationId, status, code: code ?? '' })
      durations.observe({ operation: operationId }, (begunMs ?? durationMs) / 1000)
    },
  }
}

function scrapedMetrics(registry: Registry): Pick<Metrics, 'counter' | 'gauge' | 'labelledGauge' | 'samples'> {
  const registers = [registry]
  return {
    counter(name, help, read) {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          // NaN while the store is down, so that the other metrics are still served.
          this.set(await readWithTimeout(read, Number.NaN))
        },
      })
    },
    labelledGauge(name, help, label, read) {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          for (const [value, number] of Object.entries(read())) this.set({ [label]: value }, number)
        },
      })
    },
    samples({ type, name, help, labels }, read) {
      const Metric = type === 'counter' ? Counter : Gauge
      new Metric({
        name,
        help,
        labelNames: [...labels],
        registers,
        async collect() {
          const samples = await readWithTimeout(read, [])
          this.reset()
          for (const { labels: of, value } of samples) this.inc(of, value)
        },
      })
    },
  }
}

async function readWithTimeout<T>(read: () => T | Promise<T>, otherwise: T): Promise<T> {
  try {
    return await Promise.race([read(), delay(readTimeoutMs, { ref: false }).then(() => otherwise)])
  } catch {
    return otherwise
  }
}
