export interface TracingConfig {
  /** Base URL of the collector. */
  readonly endpoint: string
  readonly serviceName: string
  /** The share of traces that is recorded, 0 to 1. */
  readonly share: number
}

type TracingVariable = 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'

/** Tracing is on if a collector is named; null otherwise. */
export function readTracing(
  get: (name: TracingVariable) => string | undefined,
  fault: (key: TracingVariable, fault: string, remedy: string) => Error,
): TracingConfig | null {
  const endpoint = get('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined) return null
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw fault(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'is not an HTTP URL',
      'Use the base URL of a collector, for example http://127.0.0.1:4318.',
    )
  }
  const shareText = get('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const share = Number(shareText)
  if (!(share >= 0 && share <= 1)) {
    throw fault(
      'OTEL_TRACES_SAMPLER_ARG',
      `"${shareText}" is not a share`,
      'Use a number from 0 to 1, for example 0.1.',
    )
  }
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    serviceName: get('OTEL_SERVICE_NAME') ?? defaultServiceName,
    share,
  }
}

export const defaultServiceName = 'api-relay-gateway'
