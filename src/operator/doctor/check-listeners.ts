import { request } from 'node:http'
import type { Address } from '../../config/variables.ts'
import { pricingVersion } from '../../contract/prices.ts'
import { type Finding, findingsOf } from './finding.ts'

export interface Listeners {
  readonly origin: URL
  readonly listen: Address
  readonly operatorListen: Address | null
}

/** Checks that a gateway listens on the configured addresses. */
export async function checkListeners({ origin, listen, operatorListen }: Listeners): Promise<Finding[]> {
  return [await checkOperator(operatorListen), await checkPublic(listen, origin)]
}

async function checkOperator(address: Address | null): Promise<Finding> {
  const { ok, warning, failure } = findingsOf('operator listener')
  if (!address) return ok('is off')
  const response = await get(address, '/readyz')
  if (!response) return warning(`nothing responds at ${formatAddress(address)}`, 'Start the gateway: npm start')
  if (response.status === 200) return ok(`${formatAddress(address)} is ready`)
  return response.status === 503
    ? failure(`not ready: ${response.body.trim().replaceAll('\n', '; ')}`, 'Wait, or look at the gateway log.')
    : failure(`${formatAddress(address)} is another program`, 'Stop it, or change GATEWAY_OPERATOR_LISTEN.')
}

async function checkPublic(address: Address, origin: URL): Promise<Finding> {
  const { ok, warning, failure } = findingsOf('public listener')
  const response = await get(address, '/v1/pricing', origin.host)
  if (!response) return warning(`nothing responds at ${formatAddress(address)}`, 'Start the gateway: npm start')
  if (response.status === 421) {
    return failure(`the gateway at ${formatAddress(address)} serves another origin`, `Start it with ${origin.origin}.`)
  }
  const isOurs = response.status === 200 && response.body.includes(`"${pricingVersion}"`)
  return isOurs
    ? ok(`${formatAddress(address)} serves ${origin.host}`)
    : failure(`${formatAddress(address)} is another program`, 'Stop it, or change GATEWAY_LISTEN.')
}

const timeoutMs = 3000
const bodyLimitChars = 65_536

function get({ host, port }: Address, path: string, hostHeader?: string) {
  return new Promise<{ status: number; body: string } | null>((resolve) => {
    const options = { host: reachable(host), port, path, agent: false, signal: AbortSignal.timeout(timeoutMs) }
    const call = request(
      { ...options, headers: { host: hostHeader ?? formatAddress({ host: reachable(host), port }) } },
      (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          if (body.length < bodyLimitChars) body += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        response.on('error', () => resolve(null))
      },
    )
    call.on('error', () => resolve(null))
    call.end()
  })
}

/** A listener on all addresses also listens on loopback. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}

const formatAddress = ({ host, port }: Address) => `${host.includes(':') ? `[${host}]` : host}:${port}`
