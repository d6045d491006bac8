import { isIP } from 'node:net'
import type { Config } from '../../config/config.ts'
import { unsafeDatabaseHosts } from '../../config/database-url.ts'
import { parseNetworks } from '../../config/networks.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warning } = findingsOf('configuration')

/** Finds settings that are valid but unsafe for real money. */
export function checkConfiguration(config: Config): Finding[] {
  const { origin, isLoopback, operatorListen } = config
  const findings: Finding[] = []
  if (!isLoopback && origin.protocol !== 'https:') {
    findings.push(
      warning('the origin is public but not https: cookies are sent unencrypted', 'Set GATEWAY_ORIGIN to https://...'),
    )
  }
  if (!isLoopback && config.paymentMode === 'local-simulated') {
    findings.push(
      warning('payment is simulated: anyone can add credits for free', 'Set GATEWAY_PAYMENT_MODE=disabled.'),
    )
  }
  if (operatorListen && !isLocal(operatorListen.host)) {
    findings.push(
      warning(
        `the operator listener on ${operatorListen.host} can be reached from other machines`,
        'Keep GATEWAY_OPERATOR_LISTEN on 127.0.0.1, or behind a firewall.',
      ),
    )
  }
  findings.push(...checkProxies(config), ...checkDatabaseTls(config), ...checkPromptSizes(config))
  return findings.length > 0 ? findings : [ok(`serves ${origin.origin}`)]
}

function checkProxies({ origin, listen, trustedProxies }: Config): Finding[] {
  if (trustedProxies.rules.some((rule) => rule.endsWith('/0'))) {
    return [
      warning(
        'every address is a trusted proxy: callers can choose the address that rate limits count',
        'Set GATEWAY_TRUSTED_PROXIES to the addresses of your proxies only.',
      ),
    ]
  }
  const isBehindProxy = origin.protocol === 'https:' && (isLocal(listen.host) || isPrivate(listen.host))
  if (!isBehindProxy || trustedProxies.rules.length > 0) return []
  return [
    warning(
      'no proxy is trusted: rate limits count everyone behind your TLS proxy as one requester',
      'Set GATEWAY_TRUSTED_PROXIES to the address from which the proxy connects.',
    ),
  ]
}

/** A network could read passwords and rows. */
function checkDatabaseTls({ databaseUrl }: Config): Finding[] {
  const unsafe = unsafeDatabaseHosts(databaseUrl)
  if (!unsafe) return []
  const fault = unsafe.isEncrypted ? 'without verifying its identity' : 'unencrypted'
  return [
    warning(
      `the gateway talks to the database at ${unsafe.hosts.join(', ')} ${fault}`,
      'Add sslmode=verify-full to DATABASE_URL; see docs/operations.md.',
    ),
  ]
}

/** A character takes at most four bytes in UTF-8. */
const maxCharBytes = 4

/** A prompt within its own limit must not fail for the size of its request. */
function checkPromptSizes({ models, server: { bodyLimitBytes } }: Config): Finding[] {
  return Object.entries(models.providers).flatMap(([name, provider]) => {
    if (provider.adapter === 'disabled' || provider.maxPromptChars * maxCharBytes <= bodyLimitBytes) return []
    return [
      warning(
        `a prompt of ${provider.maxPromptChars} characters for ${name} can be larger than a request body is allowed to be`,
        `Set server.bodyLimitBytes to ${provider.maxPromptChars * maxCharBytes} or more, or lower maxPromptChars.`,
      ),
    ]
  })
}

const isLocal = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

const privateNetworks = parseNetworks(
  '10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, fc00::/7, fe80::/10',
  (entry) => new Error(entry),
)

const isPrivate = (host: string) => isIP(host) !== 0 && privateNetworks.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6')
