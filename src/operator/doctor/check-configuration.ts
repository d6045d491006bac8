import type { Config } from '../../config/config.ts'
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
  if (!isLoopback && config.sms.adapter === 'outbox') {
    findings.push(
      warning('SMS codes are written to a file and sent to nobody', 'Set GATEWAY_SMS to http, aliyun or tencent.'),
    )
  }
  if (!isLoopback && config.email.adapter === 'outbox') {
    findings.push(warning('email is written to a file and sent to nobody', 'Set GATEWAY_EMAIL to smtp.'))
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
  return findings.length > 0 ? findings : [ok(`serves ${origin.origin}`)]
}

const isLocal = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')
