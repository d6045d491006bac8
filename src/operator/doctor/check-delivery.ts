import type { Config } from '../../config/config.ts'
import { deliveryVariables } from '../../config/delivery.ts'
import { smtpServerOf } from '../../providers/email/smtp-server-of.ts'
import { type Finding, findingsOf } from './finding.ts'

type DeliveryConfig = Pick<Config, 'sms' | 'email' | 'isLoopback' | 'credential'>

/** Checks that SMS and email can be delivered; never shows a credential. */
export function checkDelivery(config: DeliveryConfig): Finding[] {
  return [...checkSms(config), ...checkEmail(config)]
}

function checkSms(config: DeliveryConfig): Finding[] {
  const { sms, isLoopback } = config
  const { ok, warning } = findingsOf('SMS')
  if (sms.adapter === 'disabled' && !isLoopback)
    return [warning('is disabled: nobody can register', 'Set GATEWAY_SMS to http, aliyun or tencent.')]
  if (sms.adapter === 'http' && isReadable(sms.url))
    return [
      ...missingVariables(config, 'SMS'),
      warning('codes travel to the relay unencrypted', 'Use https in sms.http.url.'),
    ]
  return orOk(missingVariables(config, 'SMS'), ok(`uses the adapter ${sms.adapter}`))
}

function checkEmail(config: DeliveryConfig): Finding[] {
  const { email, isLoopback, credential } = config
  const { ok, warning, failure } = findingsOf('email')
  if (email.adapter === 'disabled' && !isLoopback)
    return [
      warning('is disabled: nobody can verify a recovery email', 'Set GATEWAY_EMAIL=smtp, SMTP_URL and email.from.'),
    ]
  const findings = missingVariables(config, 'email')
  if (email.adapter === 'smtp' && findings.length === 0 && !smtpServerOf(credential('SMTP_URL')!))
    return [failure('SMTP_URL is not the URL of an SMTP server', 'Use smtps://user:password@host:465.')]
  return orOk(findings, ok(`uses the adapter ${email.adapter}`))
}

const missingVariables = (config: DeliveryConfig, channel: 'SMS' | 'email'): Finding[] =>
  deliveryVariables(config)
    .filter((needed) => needed.channel === channel && config.credential(needed.variable) === undefined)
    .map(({ variable }) =>
      findingsOf(channel).failure(
        `${variable} is not set: the gateway does not start`,
        `Set ${variable} where the gateway runs.`,
      ),
    )

const orOk = (findings: Finding[], ok: Finding) => (findings.length > 0 ? findings : [ok])

/** Plain HTTP that leaves this machine. */
function isReadable(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|\[::1\]|127\..*)$/.test(hostname)
}
