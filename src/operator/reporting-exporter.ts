import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace'

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
