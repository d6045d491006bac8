import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { randomShare } from '../base/randomness.ts'
import { delay } from '../base/timers.ts'

/** Logs when spans cannot be exported: once, until they can be again. */
export function reportingExporter(
  exporter: SpanExporter,
  logger: { warn(fields: object, message: string): void },
): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== ExportResultCode.SUCCESS
        if (hasFailed && !isFailing) {
          logger.warn({ err: result.error, spans: spans.length }, 'traces are not exported; their spans are dropped')
        }
        isFailing = hasFailed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

export interface TracingOptions {
  /** Base URL of a collector that takes OTLP over HTTP. */
  readonly endpoint: string
  readonly serviceName: string
  /** The share of traces that is recorded, 0 to 1. */
  readonly share: number
  readonly instanceId: string
  readonly logger: { warn(fields: object, message: string): void }
}

/** A request as its span describes it; no values that a caller sent. */
interface RequestFacts {
  readonly method: string
  readonly route: string
  readonly operationId: string
  readonly requestId: string
  readonly header: (name: string) => string | undefined
}

export type Tracing = ReturnType<typeof startTracing>

const flushLimitMs = 2000

/** Records requests and their steps as spans. Imported only if tracing is on. */
export function startTracing(options: TracingOptions) {
  const provider = createProvider(options)
  const tracer = provider.getTracer('api-relay-gateway')
  const propagator = new W3CTraceContextPropagator()
  const current = new AsyncLocalStorage<Context>()

  async function inSpan<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
    try {
      return await current.run(trace.setSpan(parent, span), work)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', errorType(error))
      throw error
    } finally {
      span.end()
    }
  }

  return {
    /** Runs a request in a span that belongs to the trace of the caller, if it sent one. */
    request<R extends { readonly status: number; readonly code?: string }>(
      facts: RequestFacts,
      serve: () => Promise<R>,
    ): Promise<R> {
      const parent = propagator.extract(ROOT_CONTEXT, facts, headers)
      const attributes = {
        'http.request.method': facts.method,
        'http.route': facts.route,
        'gateway.operation': facts.operationId,
        'gateway.request_id': facts.requestId,
      }
      const span = tracer.startSpan(`${facts.method} ${facts.route}`, { kind: SpanKind.SERVER, attributes }, parent)
      return inSpan(span, parent, async () => {
        const response = await serve()
        span.setAttribute('http.response.status_code', response.status)
        if (response.code) span.setAttribute('error.type', response.code)
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        return response
      })
    },
    /** Runs a part of the request in a span of its own. */
    step<T>(name: string, work: () => Promise<T>, describe: (result: T) => Attributes): Promise<T> {
      const parent = current.getStore() ?? ROOT_CONTEXT
      const kind = name === 'forward' ? SpanKind.CLIENT : SpanKind.INTERNAL
      const span = tracer.startSpan(name, { kind }, parent)
      return inSpan(span, parent, async () => {
        const result = await work()
        span.setAttributes(describe(result))
        return result
      })
    },
    /** Headers that name the span to a provider. */
    outgoingHeaders(): Record<string, string> {
      const carrier: Record<string, string> = {}
      const context = current.getStore()
      if (context) propagator.inject(context, carrier, defaultTextMapSetter)
      return carrier
    },
    /** Sends what is left, but does not wait long for a collector that does not respond. */
    async stop(): Promise<void> {
      await Promise.race([provider.shutdown().catch(() => {}), delay(flushLimitMs, { ref: false })])
    },
  }
}

/** Without `tracestate`: what the caller's vendors noted there is not for our providers. */
const headers: TextMapGetter<RequestFacts> = {
  get: (facts, name) => (name === 'traceparent' ? facts.header(name) : undefined),
  keys: () => ['traceparent'],
}

const errorType = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

function createProvider({ endpoint, serviceName, share, instanceId, logger }: TracingOptions): TracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  // Not by the trace id, as the ratio sampler of the SDK: a caller chooses its own.
  const ratio: Sampler = {
    shouldSample: () => ({
      decision: randomShare() < share ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `share ${share}`,
  }
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': instanceId }),
    // Callers may keep their trace from being recorded, but not record more than the share.
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    spanProcessors: [new BatchSpanProcessor({ exporter: reportingExporter(exporter, logger) })],
  })
}
