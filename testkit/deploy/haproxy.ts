import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { freePort } from '../http/free-port.ts'
import { localhostCertificate } from '../providers/localhost-certificate.ts'

export interface ProxiedGateway {
  readonly port: number
  readonly operatorPort: number
}

export interface Haproxy {
  /** Serves HTTPS with the certificate of localhost. */
  readonly port: number
  readonly pid: number
  close(): Promise<void>
}

const readyLimitMs = 20_000

/** HAProxy with `deploy/haproxy.cfg` in front of gateways on this machine. Resolves once it passes requests on. */
export async function startHaproxy(program: string, gateways: readonly ProxiedGateway[]): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-haproxy-'))
  const [file, certificate, port] = [join(folder, 'haproxy.cfg'), join(folder, 'certificate.pem'), await freePort()]
  await writeFile(certificate, localhostCertificate.cert + localhostCertificate.key)
  await writeFile(file, adaptConfiguration(shippedConfiguration(), { port, certificate, gateways }))
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output = (output + chunk).slice(-10_000)
  })
  const exited = once(child, 'exit')
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  const isOver = () => child.exitCode !== null
  if (!(await becomesReady(port, isOver))) {
    await close()
    throw new Error(`HAProxy does not pass requests on:\n${output}`)
  }
  return { port, pid: child.pid!, close }
}

const shippedConfiguration = () => readFileSync(resolve(import.meta.dirname, '../../deploy/haproxy.cfg'), 'utf8')

interface Adaptation {
  readonly port: number
  readonly certificate: string
  readonly gateways: readonly ProxiedGateway[]
}

/** Replaces addresses, ports, the certificate and the user, and nothing else. */
export function adaptConfiguration(text: string, { port, certificate, gateways }: Adaptation): string {
  const replace = (from: string, pattern: RegExp, to: string) => {
    if (!pattern.test(from)) throw new Error(`haproxy.cfg has nothing that matches ${pattern}`)
    return from.replace(pattern, to)
  }
  const servers = gateways.map(
    ({ port, operatorPort }, place) => `  server gateway-${place + 1} 127.0.0.1:${port} port ${operatorPort}\n`,
  )
  // Only root can change its user.
  const asCaller = replace(text, /^ {2}user \S+\n {2}group \S+\n/m, '')
  const bound = replace(asCaller, /^( {2}bind) \S+ (ssl crt) \S+/m, `$1 127.0.0.1:${port} $2 ${certificate}`)
  return replace(bound, /(?:^ {2}server gateway-\S+ \S+\n)+/m, servers.join(''))
}

/** 503 is HAProxy's own while no gateway has passed its check. */
async function becomesReady(port: number, isOver: () => boolean): Promise<boolean> {
  const agent = new Agent({ connect: { ca: localhostCertificate.cert } })
  const until = performance.now() + readyLimitMs
  try {
    while (performance.now() < until && !isOver()) {
      const status = await request(`https://127.0.0.1:${port}/v1/pricing`, { dispatcher: agent }).then(
        async ({ statusCode, body }) => {
          await body.dump()
          return statusCode
        },
        () => 503,
      )
      if (status !== 503) return true
      await delay(50)
    }
    return false
  } finally {
    await agent.destroy()
  }
}
