import type { Config } from '../../config/config.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warning } = findingsOf('configuration')

/** A configuration that loads can still be one that nobody should take money with. */
export function checkConfiguration(config: Config): Finding[] {
  const { origin, isLoopback, operatorListen } = config
  const findings: Finding[] = []
  if (!isLoopback && origin.protocol !== 'https:') {
    findings.push(
      warning('the origin is public but not https: cookies travel in the clear', 'Set GATEWAY_ORIGIN to https://...'),
    )
  }
  if (!isLoopback && config.sms === 'outbox') {
    findings.push(warning('codes go to a file and reach nobody', 'Unset GATEWAY_SMS on a public origin.'))
  }
  if (!isLoopback && config.paymentMode === 'local-simulated') {
    findings.push(warning('anybody can credit themselves: payment is simulated', 'Set GATEWAY_PAYMENT_MODE=disabled.'))
  }
  if (operatorListen && !isLocal(operatorListen.host)) {
    findings.push(
      warning(
        `the operator's pages listen on ${operatorListen.host}, beyond this machine`,
        'Keep GATEWAY_OPERATOR_LISTEN on 127.0.0.1, or behind a firewall.',
      ),
    )
  }
  return findings.length > 0 ? findings : [ok(`serves ${origin.origin}`)]
}

const isLocal = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')
