import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/config.ts'
import { variableTable } from '../../src/config/variables.ts'
import { tools } from '../support/installed-tools.ts'
import { localhostCertificate } from '../support/providers/localhost-certificate.ts'

const deploy = resolve(import.meta.dirname, '../../deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')
const run = promisify(execFile)
const scripts: Record<'gateway', string> = JSON.parse(read('../package.json')).scripts

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly image?: string
  readonly command?: readonly string[]
  readonly restart?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
  readonly depends_on?: object
  readonly networks?: { readonly default: { readonly ipv4_address: string } }
}
const composeText = read('compose.yaml')
const compose: { services: Record<string, Service>; volumes: object } = parse(composeText, { merge: true })
const gateways = Object.entries(compose.services).filter(([, { build, command }]) => build && !command)
const { migrate } = compose.services
const example = Object.fromEntries(
  [...read('compose.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, k, v]) => [k!, v!]),
)
/** Filled in, where the example leaves a secret out. */
const filled = (name: string) => example[name] || 'x'.repeat(40)
const interpolate = (text: string) =>
  text.replace(/\$\{([A-Z_]+)(?::[?-]([^}]*))?\}/g, (_, name: string) => filled(name))

const gatewayConfig = (environment: Readonly<Record<string, string>>) =>
  loadConfig({
    ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, interpolate(value)])),
    GATEWAY_CONFIG: join(deploy, 'gateway.json'),
  })

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-deploy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('compose.yaml', () => {
  test('gives every gateway settings that it accepts', () => {
    expect(gateways.length).toBeGreaterThan(1)
    for (const [, { environment }] of gateways) {
      const known = variableTable.map(({ name }) => name as string)
      expect(Object.keys(environment!).filter((name) => !known.includes(name))).toEqual([])
      const config = gatewayConfig(environment!)
      expect(config.server.drainDelayMs).toBe(5000)
      expect(config.databaseUrl).toMatch(/@db-a:5432,db-b:5432\/gateway\?target_session_attrs=read-write$/)
      expect(config.trustedProxies.check(compose.services.haproxy!.networks!.default.ipv4_address)).toBe(true)
      expect(config.trustedProxies.rules).toHaveLength(1)
    }
  })

  test('gives a gateway the time to drain, and no rights that it does not need', () => {
    for (const [, service] of gateways) {
      const { drainDelayMs, drainMs } = gatewayConfig(service.environment!).server
      expect(service.stop_grace_period).toBe(`${(drainDelayMs + drainMs) / 1000 + 15}s`)
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    }
  })

  test('migrates before a gateway starts, as the same program with the same settings', () => {
    const program = migrate!.command!.slice(1)
    expect(migrate!.command![0]).toBe('node')
    expect(program).toEqual(scripts.gateway.split(' ').slice(1).concat('migrate'))
    expect(existsSync(join(deploy, '..', program[0]!))).toBe(true)
    expect(migrate).toMatchObject({ restart: 'no', healthcheck: { disable: true } })
    const databases = { 'db-a': { condition: 'service_healthy' }, 'db-b': { condition: 'service_healthy' } }
    expect(migrate!.depends_on).toEqual(databases)
    for (const [, { depends_on, image, environment, volumes }] of gateways) {
      expect(depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' }, ...databases })
      expect(migrate).toMatchObject({ image, environment, volumes })
    }
  })

  test('names only files, services, volumes and variables that exist', () => {
    for (const { volumes = [], depends_on = {}, build } of Object.values(compose.services)) {
      if (build) expect(existsSync(join(deploy, build.context, build.dockerfile))).toBe(true)
      for (const [source] of volumes.map((volume) => volume.split(':') as [string])) {
        // The operator's own.
        if (source === './certificate.pem') continue
        expect(source.startsWith('./') ? existsSync(join(deploy, source)) : source in compose.volumes).toBe(true)
      }
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)
      expect(needed.filter((name) => !(name in compose.services))).toEqual([])
    }
    const required = [...composeText.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name!)
    expect(required.filter((name) => !(name in example))).toEqual([])
  })

  test('starts PostgreSQL with scripts that bash can read, and waits for whichever is the standby', async () => {
    for (const script of ['node.sh', 'primary.sh']) await run('bash', ['-n', join(deploy, 'postgres', script)])
    const names = /synchronous_standby_names = 'ANY 1 \(([^)]+)\)'/.exec(read('postgres/primary.sh'))![1]!.split(', ')
    const nodes = ['db-a', 'db-b'].map((name) => compose.services[name]!.environment!.NODE_NAME)
    expect(names).toEqual(nodes)
  })
})

describe('haproxy.cfg', () => {
  const haproxy = read('haproxy.cfg')

  test('sends requests and checks to the ports of the gateways, and a lost request to another one', () => {
    const servers = [...haproxy.matchAll(/^ {2}server (\S+) (\S+)$/gm)].map(([, name, address]) => [name, address])
    expect(servers).toEqual(
      gateways.map(([name, { environment }]) => [name, `${name}:${gatewayConfig(environment!).listen.port}`]),
    )
    const operatorPort = gatewayConfig(gateways[0]![1].environment!).operatorListen!.port
    expect(haproxy).toContain(`check port ${operatorPort} `)
    expect(haproxy).toContain(`uri /readyz ver HTTP/1.1 hdr Host localhost:${operatorPort}`)
    expect(haproxy).toMatch(/^ {2}retry-on .*\bempty-response\b/m)
  })

  test.runIf(tools.haproxy)('is accepted by HAProxy', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'certificate.pem'), localhostCertificate.cert + localhostCertificate.key)
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, haproxy.replace('/usr/local/etc/haproxy/', `${folder}/`))
    await run(tools.haproxy!, ['-c', '-f', file])
  })
})

describe('gateway.service', () => {
  const unit = read('gateway.service')

  test('gives the gateway the time to drain and names settings that exist', () => {
    const { drainDelayMs, drainMs } = loadConfig({ GATEWAY_CONFIG: join(deploy, 'gateway.json') }).server
    expect(unit).toContain(`TimeoutStopSec=${(drainDelayMs + drainMs) / 1000 + 15}`)
    const named = unit.match(/\bGATEWAY_[A-Z_]+(?==)/g)!
    expect(named.filter((name) => !variableTable.some((variable) => variable.name === name))).toEqual([])
  })

  test.runIf(tools['systemd-analyze'])('is accepted by systemd', async () => {
    const folder = await temporaryFolder()
    const program = join(folder, 'node')
    await writeFile(program, '#!/bin/sh\n')
    await chmod(program, 0o755)
    const file = join(folder, 'gateway.service')
    await writeFile(file, unit.replace('/opt/gateway/node_modules/.bin/node', program))
    const { stderr } = await run(tools['systemd-analyze']!, ['verify', file])
    expect(stderr.split('\n').filter((line) => line.includes('gateway.service'))).toEqual([])
  })
})
