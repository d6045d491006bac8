import { request } from 'node:http'
import type { Address } from '../../config/variables.ts'
import { pricingVersion } from '../../contract/prices.ts'
import { type Finding, findingsOf } from './finding.ts'

export interface Listeners {
  readonly origin: URL
  readonly listen: Address
  readonly operatorListen: Address | null
}

/** Whether a gateway answers where this configuration says it does. */
export async function checkListeners({ origin, listen, operatorListen }: Listeners): Promise<Finding[]> {
  return [await checkOperator(operatorListen), await checkPublic(listen, origin)]
}

async function checkOperator(address: Address | null): Promise<Finding> {
  const { ok, warning, failure } = findingsOf('operator listener')
  if (!address) return ok('is off')
  const answer = await ask(address, '/readyz')
  if (!answer) return warning(`nobody answers at ${formatAddress(address)}`, 'Start the gateway: npm start')
  if (answer.status === 200) return ok(`${formatAddress(address)} is ready`)
  return answer.status === 503
    ? failure(`not ready: ${answer.body.trim().replaceAll('\n', '; ')}`, 'Wait, or see the log of the gateway.')
    : failure(`${formatAddress(address)} is another program`, 'Stop it, or change GATEWAY_OPERATOR_LISTEN.')
}

async function checkPublic(address: Address, origin: URL): Promise<Finding> {
  const { ok, warning, failure } = findingsOf('public listener')
  const answer = await ask(address, '/v1/pricing', origin.host)
  if (!answer) return warning(`nobody answers at ${formatAddress(address)}`, 'Start the gateway: npm start')
  if (answer.status === 421) {
    return failure(
      `a gateway of another origin answers at ${formatAddress(address)}`,
      `Start it with ${origin.origin}.`,
    )
  }
  const isOurs = answer.status === 200 && answer.body.includes(`"${pricingVersion}"`)
  return isOurs
    ? ok(`${formatAddress(address)} serves ${origin.host}`)
    : failure(
        `${formatAddress(address)} does not answer as a gateway`,
        'Stop the program that does, or change GATEWAY_LISTEN.',
      )
}

const limitMs = 3000
const bodyLimitChars = 65_536

function ask({ host, port }: Address, path: string, hostHeader?: string) {
  return new Promise<{ status: number; body: string } | null>((resolve) => {
    const options = { host: reachable(host), port, path, agent: false, signal: AbortSignal.timeout(limitMs) }
    const call = request({ ...options, headers: { host: hostHeader ?? `${host}:${port}` } }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        if (body.length < bodyLimitChars) body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      response.on('error', () => resolve(null))
    })
    call.on('error', () => resolve(null))
    call.end()
  })
}

/** A listener on every address answers on the machine's own. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

const formatAddress = ({ host, port }: Address) => `${host.includes(':') ? `[${host}]` : host}:${port}`
