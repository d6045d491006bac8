import type { Config } from '../../../config/config.ts'
import { maskUrl } from '../../../config/database-url.ts'
import { FileSchema } from '../../../config/schema.ts'
import type { VariableName } from '../../../config/variables.ts'
import type { EffectiveSettings } from './contract.ts'

type SettingValue = EffectiveSettings['items'][number]['value']

/** The settings in effect. A secret is only said to be set. */
export function effectiveSettings(config: Config): EffectiveSettings {
  const address = ({ host, port }: { host: string; port: number }) => `${host}:${port}`
  const variables: Record<VariableName, SettingValue> = {
    GATEWAY_ORIGIN: config.origin.origin,
    GATEWAY_LISTEN: address(config.listen),
    GATEWAY_OPERATOR_LISTEN: config.operatorListen ? address(config.operatorListen) : 'off',
    GATEWAY_OPERATOR_ORIGIN: config.operatorOrigin?.origin ?? null,
    GATEWAY_TRUSTED_PROXIES: config.trustedProxies.rules.join(', ') || null,
    GATEWAY_DATA_DIR: config.dataDir,
    DATABASE_URL: config.databaseUrl === undefined ? null : maskUrl(config.databaseUrl),
    GATEWAY_SECRET: config.secret === undefined ? 'in the data directory' : 'set',
    GATEWAY_SECRET_PREVIOUS: config.secretPrevious.length === 0 ? 'not set' : 'set',
    GATEWAY_PAYMENT_MODE: config.paymentMode,
    GATEWAY_SMS: config.sms.adapter,
    GATEWAY_EMAIL: config.email.adapter,
    SMTP_URL: config.credential('SMTP_URL') === undefined ? 'not set' : 'set',
    GATEWAY_CONFIG: config.configFile ?? null,
    LOG_LEVEL: config.logLevel,
    OTEL_EXPORTER_OTLP_ENDPOINT: config.tracing && maskUrl(config.tracing.endpoint),
    OTEL_EXPORTER_OTLP_HEADERS: config.credential('OTEL_EXPORTER_OTLP_HEADERS') === undefined ? 'not set' : 'set',
    OTEL_SERVICE_NAME: config.tracing?.serviceName ?? null,
    OTEL_TRACES_SAMPLER_ARG: config.tracing?.share ?? null,
  }
  const sections = Object.keys(FileSchema.properties) as (keyof typeof FileSchema.properties)[]
  return {
    items: [
      ...Object.entries(variables).map(([key, value]) => ({ key, value })),
      ...sections.flatMap((section) => flatten(section, config[section])),
    ],
  }
}

function flatten(key: string, value: unknown): EffectiveSettings['items'] {
  if (typeof value !== 'object' || value === null) return [{ key, value: (value ?? null) as SettingValue }]
  if (Array.isArray(value)) return [{ key, value: value.join(', ') }]
  return Object.entries(value).flatMap(([name, inner]) => flatten(`${key}.${name}`, inner))
}
