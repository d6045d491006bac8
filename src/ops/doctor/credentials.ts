import { SecretMissing, SecretUnusable } from '../../base/secret-file.ts'
import type { Config } from '../../config/config.ts'
import { type CredentialUse, credentialVariables } from '../../config/credentials.ts'
import { deliveryVariables } from '../../config/delivery.ts'
import { MediaProvider, ModelProvider, ShopProvider } from '../../config/provider-schema.ts'
import { smtpServerOf } from '../../providers/email.ts'
import type { OutdatedCounts } from '../secrets.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warning } = findingsOf('credentials')

/** Checks that the variables with provider credentials are set; never shows their values. */
export function checkCredentials(config: ProviderConfig): Finding[] {
  const needed = neededCredentials(config)
  if (needed.length === 0) return [ok('no provider needs credentials', '没有服务商需要凭据')]
  return needed.map(({ provider, variable, use }) =>
    config.credential(variable) === undefined
      ? warning(...withoutCredential[use](provider, variable))
      : ok(`${variable} is set for ${provider}`, `已设置 ${provider} 的凭据 ${variable}`),
  )
}

type ProviderConfig = Pick<Config, 'models' | 'shopping' | 'media' | 'credential'>

function neededCredentials({ models, shopping, media }: ProviderConfig) {
  const shops = Object.entries(shopping.mode === 'pick-http' ? shopping.providers : {})
  const used = shops.filter(([, shop]) => shop && !shop.disabled)
  return [
    ...Object.entries(models.providers).map(([name, settings]) => [name, ModelProvider, settings] as const),
    ...used.map(([name, settings]) => [name, ShopProvider, settings!] as const),
    ...Object.entries(media.providers).map(([name, settings]) => [name, MediaProvider, settings] as const),
  ].flatMap(([provider, schema, settings]) =>
    credentialVariables(schema, settings).map((needed) => ({ provider, ...needed })),
  )
}

const withoutCredential: Readonly<
  Record<CredentialUse, (provider: string, variable: string) => Parameters<typeof warning>>
> = {
  calls: (provider, variable) => [
    `${variable} is not set: calls to ${provider} fail with PROVIDER_AUTH_REQUIRED`,
    `Set ${variable} where the gateway runs.`,
    [
      `未设置 ${variable}：对 ${provider} 的调用会返回 PROVIDER_AUTH_REQUIRED`,
      `请在网关的运行环境中设置 ${variable}。`,
    ],
  ],
  callbacks: (provider, variable) => [
    `${variable} is not set: callbacks of ${provider} are refused`,
    `Set ${variable} where the gateway runs.`,
    [`未设置 ${variable}：${provider} 的回调会被拒绝`, `请在网关的运行环境中设置 ${variable}。`],
  ],
}

/** Checks that the store was written with the configured secret, and whether a rotation is unfinished. */
export async function checkStoreSecret(read: () => Promise<OutdatedCounts>): Promise<Finding[]> {
  const { ok, warning, failure } = findingsOf('secret')
  try {
    const { outdated, unsealed } = await read()
    const findings = []
    if (outdated > 0)
      findings.push(
        warning(`${outdated} sealed values use an older secret`, 'Run: npm run gateway -- secret rotate', [
          `${outdated} 个加密值仍使用旧的主密钥`,
          '请运行：npm run gateway -- secret rotate',
        ]),
      )
    if (unsealed > 0)
      findings.push(
        warning(
          `${unsealed} contacts have no sealed copy, so no message reaches them`,
          'Their next sign-in creates one.',
          [`${unsealed} 个联系方式没有加密副本，无法收到通知`, '对方下次登录时会自动补全。'],
        ),
      )
    return findings.length > 0
      ? findings
      : [ok('every sealed value uses the current secret', '所有加密值均使用当前主密钥')]
  } catch (error) {
    // The check of the data directory reports it.
    if (error instanceof SecretMissing) return []
    if (!(error instanceof SecretUnusable)) throw error
    return [
      failure(error.message, 'The gateway will not start like this.', [
        `主密钥不可用：${error.message}`,
        '网关将无法启动，请先修复。',
      ]),
    ]
  }
}

type DeliveryConfig = Pick<Config, 'sms' | 'email' | 'isLoopback' | 'credential'>

/** Checks that SMS and email can be delivered; never shows a credential. */
export function checkDelivery(config: DeliveryConfig): Finding[] {
  return [...checkSms(config), ...checkEmail(config)]
}

function checkSms(config: DeliveryConfig): Finding[] {
  const { sms, isLoopback } = config
  const { ok, warning } = findingsOf('SMS')
  if (sms.adapter === 'disabled' && !isLoopback)
    return [
      warning('is disabled: new users cannot register', 'Set GATEWAY_SMS to http, aliyun or tencent.', [
        '未启用，无法注册新账号',
        '请将 GATEWAY_SMS 设为 http、aliyun 或 tencent。',
      ]),
    ]
  if (sms.adapter === 'http' && isReadable(sms.url))
    return [
      ...missingVariables(config, 'SMS'),
      warning('codes travel to the relay unencrypted', 'Use https in sms.http.url.', [
        '验证码以明文发送到短信中转服务',
        '请在 sms.http.url 中使用 https。',
      ]),
    ]
  return orOk(missingVariables(config, 'SMS'), ok(`uses the adapter ${sms.adapter}`, `使用适配器 ${sms.adapter}`))
}

function checkEmail(config: DeliveryConfig): Finding[] {
  const { email, isLoopback, credential } = config
  const { ok, warning, failure } = findingsOf('email')
  if (email.adapter === 'disabled' && !isLoopback)
    return [
      warning('is disabled: recovery emails cannot be verified', 'Set GATEWAY_EMAIL=smtp, SMTP_URL and email.from.', [
        '未启用，无法验证恢复邮箱',
        '请设置 GATEWAY_EMAIL=smtp、SMTP_URL 和 email.from。',
      ]),
    ]
  const findings = missingVariables(config, 'email')
  if (email.adapter === 'smtp' && findings.length === 0 && !smtpServerOf(credential('SMTP_URL')!))
    return [
      failure('SMTP_URL is not the URL of an SMTP server', 'Use smtps://user:password@host:465.', [
        'SMTP_URL 不是 SMTP 服务器的地址',
        '格式为 smtps://用户名:密码@主机:465。',
      ]),
    ]
  return orOk(findings, ok(`uses the adapter ${email.adapter}`, `使用适配器 ${email.adapter}`))
}

const missingVariables = (config: DeliveryConfig, channel: 'SMS' | 'email'): Finding[] =>
  deliveryVariables(config)
    .filter((needed) => needed.channel === channel && config.credential(needed.variable) === undefined)
    .map(({ variable }) =>
      findingsOf(channel).failure(
        `${variable} is not set: the gateway will not start`,
        `Set ${variable} where the gateway runs.`,
        [`未设置 ${variable}，网关无法启动`, `请在网关的运行环境中设置 ${variable}。`],
      ),
    )

const orOk = (findings: Finding[], ok: Finding) => (findings.length > 0 ? findings : [ok])

/** Plain HTTP that leaves this machine. */
function isReadable(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|\[::1\]|127\..*)$/.test(hostname)
}
