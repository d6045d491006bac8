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
      warning('the origin is public but not https: cookies are sent unencrypted', 'Set GATEWAY_ORIGIN to https://...', [
        '访问地址对外公开，但不是 https，Cookie 会以明文传输',
        '请将 GATEWAY_ORIGIN 设为 https://...',
      ]),
    )
  }
  if (!isLoopback && config.paymentMode === 'local-simulated') {
    findings.push(
      warning('payment is simulated: anyone can add credits for free', 'Set GATEWAY_PAYMENT_MODE=disabled.', [
        '支付为模拟模式，任何人都可以免费充值',
        '请设置 GATEWAY_PAYMENT_MODE=disabled。',
      ]),
    )
  }
  if (operatorListen && !isLocal(operatorListen.host)) {
    findings.push(
      warning(
        `the operator listener on ${operatorListen.host} can be reached from other machines`,
        'Keep GATEWAY_OPERATOR_LISTEN on 127.0.0.1, or behind a firewall.',
        [
          `其他机器可以访问 ${operatorListen.host} 上的后台`,
          '请让 GATEWAY_OPERATOR_LISTEN 只监听 127.0.0.1，或置于防火墙之后。',
        ],
      ),
    )
  }
  findings.push(...checkLocalAdapters(config), ...checkProxies(config), ...checkDatabaseTls(config))
  findings.push(...checkPromptSizes(config), ...checkSite(config))
  return findings.length > 0 ? findings : [ok(`serves ${origin.origin}`, `访问地址为 ${origin.origin}`)]
}

/** Customers must know whom they pay. */
function checkSite({ isLoopback, site }: Config): Finding[] {
  if (isLoopback || site.name !== undefined) return []
  return [
    warning('the public pages do not say who runs the service', 'Set site.name; docs/configuration.md lists site.*.', [
      '公开页面没有写明由谁运营',
      '请设置 site.name，其余 site.* 见 docs/configuration.md。',
    ]),
  ]
}

/** They respond without a provider, at the full price. */
function checkLocalAdapters({ isLoopback, models, media, shopping }: Config): Finding[] {
  if (isLoopback) return []
  const localOf = (section: 'models' | 'media', providers: Readonly<Record<string, { readonly adapter: string }>>) =>
    Object.entries(providers)
      .filter(([, { adapter }]) => adapter === 'local')
      .map(([name]) => `${section}.providers.${name}`)
  const local = [
    ...localOf('models', models.providers),
    ...(shopping.mode === 'local-mock' ? ['shopping.mode'] : []),
    ...localOf('media', media.providers),
  ]
  if (local.length === 0) return []
  return [
    warning(
      `the origin is public, and callers pay for made-up responses: ${local.join(', ')}`,
      'Connect real providers, or disable these.',
      [`访问地址对外公开，但这些设置会让调用方为模拟结果付费：${local.join('、')}`, '请接入真实的服务商，或将其停用。'],
    ),
  ]
}

function checkProxies({ origin, listen, trustedProxies }: Config): Finding[] {
  if (trustedProxies.rules.some((rule) => rule.endsWith('/0'))) {
    return [
      warning(
        'every address is a trusted proxy: callers can choose the address that rate limits count',
        'Set GATEWAY_TRUSTED_PROXIES to the addresses of your proxies only.',
        [
          '所有地址都被当作可信代理，调用方可以伪造限流所依据的地址',
          '请在 GATEWAY_TRUSTED_PROXIES 中只填写您的代理地址。',
        ],
      ),
    ]
  }
  const isBehindProxy = origin.protocol === 'https:' && (isLocal(listen.host) || isPrivate(listen.host))
  if (!isBehindProxy || trustedProxies.rules.length > 0) return []
  return [
    warning(
      'no proxy is trusted: rate limits count everyone behind your TLS proxy as one requester',
      'Set GATEWAY_TRUSTED_PROXIES to the address from which the proxy connects.',
      [
        '没有设置可信代理，限流会把 TLS 代理后的所有人当作同一个访问者',
        '请将 GATEWAY_TRUSTED_PROXIES 设为代理连接网关时使用的地址。',
      ],
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
      [
        `与数据库 ${unsafe.hosts.join('、')} 的连接${unsafe.isEncrypted ? '没有验证对方身份' : '没有加密'}`,
        '请在 DATABASE_URL 中加上 sslmode=verify-full，参阅 docs/operations.md。',
      ],
    ),
  ]
}

/** A character takes at most four bytes in UTF-8. */
const maxCharBytes = 4

/** A prompt within its own limit must not fail for the size of its request. */
function checkPromptSizes({ models, openai, server }: Config): Finding[] {
  const bodyLimitBytes = Math.max(openai.bodyLimitBytes, server.bodyLimitBytes)
  return Object.entries(models.providers).flatMap(([name, provider]) => {
    if (provider.adapter === 'disabled' || provider.maxPromptChars * maxCharBytes <= bodyLimitBytes) return []
    return [
      warning(
        `a prompt of ${provider.maxPromptChars} characters for ${name} can be larger than a request body is allowed to be`,
        `Set openai.bodyLimitBytes to ${provider.maxPromptChars * maxCharBytes} or more, or lower maxPromptChars.`,
        [
          `${name} 允许的 ${provider.maxPromptChars} 个字符的提示词可能超过请求体上限`,
          `请将 openai.bodyLimitBytes 设为至少 ${provider.maxPromptChars * maxCharBytes}，或调低 maxPromptChars。`,
        ],
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
