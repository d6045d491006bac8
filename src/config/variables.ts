import { BlockList } from 'node:net'
import { resolve } from 'node:path'
import type { PaymentMode } from '../contract/prices.ts'
import type { ReportSetting } from './faults.ts'
import { parseNetworks } from './networks.ts'

export interface TracingConfig {
  /** Base URL of the collector. */
  readonly endpoint: string
  readonly serviceName: string
  /** The share of traces that is recorded, 0 to 1. */
  readonly share: number
}

type TracingVariable = 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'

/** Tracing is on if a collector is named; null otherwise. */
function readTracing(get: (name: TracingVariable) => string | undefined, report: ReportSetting): TracingConfig | null {
  const endpoint = get('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined) return null
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    report(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'is not an HTTP URL',
      'Use the base URL of a collector, for example http://127.0.0.1:4318.',
    )
  }
  const shareText = get('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  const share = Number(shareText)
  if (!(share >= 0 && share <= 1)) {
    report('OTEL_TRACES_SAMPLER_ARG', `"${shareText}" is not a share`, 'Use a number from 0 to 1, for example 0.1.')
  }
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    serviceName: get('OTEL_SERVICE_NAME') ?? defaultServiceName,
    share,
  }
}

const defaultServiceName = 'api-relay-gateway'

export interface Address {
  readonly host: string
  readonly port: number
}

interface Variable {
  readonly name: string
  readonly default: string
  readonly description: string
}

const defaults = {
  origin: 'http://localhost:8787',
  operatorListen: '127.0.0.1:8788',
  dataDir: 'data',
  logLevel: 'info',
} as const
const paymentModes = ['local-simulated', 'disabled'] as const satisfies PaymentMode[]
const smsAdapters = ['outbox', 'http', 'aliyun', 'tencent', 'failing', 'disabled'] as const
const emailAdapters = ['outbox', 'smtp', 'disabled'] as const
export type SmsAdapter = (typeof smsAdapters)[number]
export type EmailAdapter = (typeof emailAdapters)[number]
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const choices = (values: readonly string[]) => `One of ${values.map((value) => `\`${value}\``).join(', ')}.`

/** The environment variables. docs/configuration.md and .env.example are generated from this table, in its order. */
export const variableTable = [
  {
    name: 'GATEWAY_ORIGIN',
    default: defaults.origin,
    description: 'Canonical origin. The Host header must equal its host, the Origin header must equal all of it.',
  },
  {
    name: 'GATEWAY_LISTEN',
    default: 'host and port of a loopback origin; otherwise required',
    description: 'Address of the public listener, as host:port.',
  },
  {
    name: 'GATEWAY_OPERATOR_LISTEN',
    default: defaults.operatorListen,
    description:
      'Address of the operator listener: the operator console and its API, `/healthz`, `/readyz`, `/metrics` and the local inbox; `off` disables it.',
  },
  {
    name: 'GATEWAY_OPERATOR_ORIGIN',
    default: 'none',
    description:
      'Origin under which a reverse proxy serves the operator listener, such as `https://operator.example`. Its host is accepted in addition to the addresses of the listener.',
  },
  {
    name: 'GATEWAY_TRUSTED_PROXIES',
    default: 'none',
    description:
      'Addresses and CIDR ranges of reverse proxies, separated by commas. `X-Forwarded-For` is trusted only from them.',
  },
  {
    name: 'GATEWAY_DATA_DIR',
    default: defaults.dataDir,
    description:
      'Directory of the secret, the embedded store, the outbox files and what is remembered about the database servers.',
  },
  {
    name: 'DATABASE_URL',
    default: 'an embedded store in the data directory',
    description:
      '`sqlite:PATH` or `postgres://...`, which may name several hosts: `postgres://u:p@a:5432,b:5432/gateway?target_session_attrs=read-write`.',
  },
  {
    name: 'GATEWAY_SECRET',
    default: 'generated and kept in the data directory on a loopback origin; otherwise required',
    description: 'Secret that contacts are sealed and digested with, at least 32 bytes.',
  },
  {
    name: 'GATEWAY_SECRET_PREVIOUS',
    default: 'none',
    description: 'Older secrets, separated by commas, until `npm run gateway -- secret rotate` has replaced them.',
  },
  {
    name: 'GATEWAY_PAYMENT_MODE',
    default: '`local-simulated` on a loopback origin, otherwise `disabled`',
    description: choices(paymentModes),
  },
  {
    name: 'GATEWAY_SMS',
    default: '`outbox` on a loopback origin, otherwise `disabled`',
    description:
      '`outbox` appends each message to `sms-outbox.jsonl` in the data directory, on a loopback origin only; `http`, `aliyun` and `tencent` deliver as the section `sms` says; `failing` fails every message; `disabled` refuses with 503.',
  },
  {
    name: 'GATEWAY_EMAIL',
    default: '`outbox` on a loopback origin, otherwise `disabled`',
    description:
      '`outbox` appends each message to `email-outbox.jsonl` in the data directory, on a loopback origin only; `smtp` delivers through `SMTP_URL`; `disabled` refuses with 503.',
  },
  {
    name: 'SMTP_URL',
    default: 'none; required with `GATEWAY_EMAIL=smtp`',
    description:
      'Server and credentials for email: `smtps://user:password@host:465`, or `smtp://user:password@host:587` with STARTTLS. Its certificate is verified.',
  },
  {
    name: 'GATEWAY_CONFIG',
    default: 'none',
    description: 'A JSON file with the settings below; only those that differ from the defaults are needed.',
  },
  {
    name: 'LOG_LEVEL',
    default: defaults.logLevel,
    description: choices(logLevels),
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: 'none',
    description:
      'Base URL of an OpenTelemetry collector, such as `http://127.0.0.1:4318`. Setting it turns traces on: spans are sent to `/v1/traces` below it, as OTLP over HTTP.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: 'none',
    description: 'Headers of these requests, as `name=value` pairs separated by commas.',
  },
  {
    name: 'OTEL_SERVICE_NAME',
    default: defaultServiceName,
    description: 'The name of the gateway in traces.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    description:
      'Share of traces that is recorded, from 0 to 1. A caller can keep its trace from being recorded, but not record more than this.',
  },
] as const satisfies readonly Variable[]

export type VariableName = (typeof variableTable)[number]['name']
type Name = VariableName
/** Stands for an address that is invalid or missing, which was reported. */
const noAddress = { host: '127.0.0.1', port: 0 }

export function readVariables(environment: Readonly<Record<string, string | undefined>>, report: ReportSetting) {
  const get = (name: Name) => environment[name] || undefined
  const choose = <T extends string>(name: Name, allowed: readonly T[], fallback: T): T => {
    const value = get(name) ?? fallback
    if (allowed.includes(value as T)) return value as T
    report(name, `"${value}" is not a valid choice`, `Use one of ${allowed.join(', ')}.`)
    return fallback
  }
  /** Operators can read the outbox files, so there a code of a real person would be a way into their account. */
  const chooseDelivery = <T extends string>(name: Name, allowed: readonly T[], remedy: string): T => {
    const chosen = choose(name, allowed, (isLoopback ? 'outbox' : 'disabled') as T)
    if (chosen === 'outbox' && !isLoopback)
      report(name, '"outbox" keeps codes in a file that operators can read, and the origin is public', remedy)
    return chosen
  }
  const address = (name: Name, value: string): Address =>
    parseAddress(value) ??
    report(name, `"${value}" is not a valid address`, 'Use host:port, for example 127.0.0.1:8787.') ??
    noAddress

  const origin =
    parseOrigin(get('GATEWAY_ORIGIN') ?? defaults.origin) ??
    report(
      'GATEWAY_ORIGIN',
      'is not an origin',
      'Use scheme://host or scheme://host:port with no path, in lower case.',
    ) ??
    new URL(defaults.origin)
  const isLoopback = isLoopbackHost(origin.hostname)
  const listen =
    get('GATEWAY_LISTEN') ??
    (isLoopback ? `${origin.hostname}:${portOf(origin)}` : undefined) ??
    report('GATEWAY_LISTEN', 'is missing', 'Set the address to listen on, for example 0.0.0.0:8787.') ??
    `${noAddress.host}:${noAddress.port}`
  const proxies = get('GATEWAY_TRUSTED_PROXIES')
  const proxyFault = (entry: string) =>
    report(
      'GATEWAY_TRUSTED_PROXIES',
      `"${entry}" is not an IP address or CIDR range`,
      'Separate them by commas, for example 127.0.0.1, 10.0.0.0/8, fd00::/8.',
    )
  const operator = get('GATEWAY_OPERATOR_LISTEN') ?? defaults.operatorListen
  const operatorOriginText = get('GATEWAY_OPERATOR_ORIGIN')
  const operatorOrigin =
    operatorOriginText === undefined
      ? null
      : (parseOrigin(operatorOriginText) ??
        report(
          'GATEWAY_OPERATOR_ORIGIN',
          'is not an origin',
          'Use scheme://host or scheme://host:port with no path, in lower case.',
        ) ??
        null)
  const secret = get('GATEWAY_SECRET')
  if (secret === undefined && !isLoopback) report('GATEWAY_SECRET', 'is missing', 'Set at least 32 random bytes.')
  const secretPrevious = get('GATEWAY_SECRET_PREVIOUS')?.split(',') ?? []
  const requireLength = (name: Name) => (value: string) => {
    const bytes = Buffer.byteLength(value)
    if (bytes < 32) report(name, `has only ${bytes} bytes`, 'Set at least 32 random bytes.')
  }
  if (secret !== undefined) requireLength('GATEWAY_SECRET')(secret)
  secretPrevious.forEach(requireLength('GATEWAY_SECRET_PREVIOUS'))
  const databaseUrl = get('DATABASE_URL')
  if (databaseUrl !== undefined && !/^(sqlite:|postgres(ql)?:\/\/)/.test(databaseUrl))
    report('DATABASE_URL', 'is not a known kind of store', 'Use sqlite:PATH or postgres://...')

  return {
    origin,
    isLoopback,
    listen: address('GATEWAY_LISTEN', listen),
    operatorListen: operator === 'off' ? null : address('GATEWAY_OPERATOR_LISTEN', operator),
    operatorOrigin,
    /** Whether the operator listener is reachable only from this machine. */
    isOperatorLocal:
      isLoopback &&
      operator !== 'off' &&
      isLoopbackHost(address('GATEWAY_OPERATOR_LISTEN', operator).host) &&
      (operatorOrigin === null || isLoopbackHost(operatorOrigin.hostname)),
    trustedProxies: proxies === undefined ? new BlockList() : parseNetworks(proxies, proxyFault),
    dataDir: resolve(get('GATEWAY_DATA_DIR') ?? defaults.dataDir),
    databaseUrl,
    secret,
    secretPrevious,
    paymentMode: choose('GATEWAY_PAYMENT_MODE', paymentModes, isLoopback ? 'local-simulated' : 'disabled'),
    smsAdapter: chooseDelivery('GATEWAY_SMS', smsAdapters, 'Use http, aliyun, tencent or disabled.'),
    emailAdapter: chooseDelivery('GATEWAY_EMAIL', emailAdapters, 'Use smtp or disabled.'),
    logLevel: choose('LOG_LEVEL', logLevels, defaults.logLevel),
    configFile: get('GATEWAY_CONFIG'),
    tracing: readTracing(get, report),
  }
}

function parseOrigin(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) && url.origin === text ? url : undefined
}

const portOf = (origin: URL) => origin.port || (origin.protocol === 'https:' ? '443' : '80')

const isLoopbackHost = (host: string) =>
  host === 'localhost' || host === '[::1]' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** host:port, with an IPv6 host in brackets. Port 0 lets the system choose. */
function parseAddress(text: string): Address | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):(\d{1,5})$/.exec(text)
  const port = Number(match?.[2])
  return match && port <= 65_535 ? { host: match[1]!.replace(/^\[|\]$/g, ''), port } : undefined
}
