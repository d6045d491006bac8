import { existsSync, readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/config.ts'
import { variableTable } from '../../src/config/variables.ts'

const deploy = resolve(import.meta.dirname, '../../deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')
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
  readonly env_file?: string
  readonly entrypoint?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly logging?: { readonly driver: string; readonly options: { readonly tag: string } }
  readonly networks?: { readonly default: { readonly ipv4_address: string } }
}
const composeText = read('compose.yaml')
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: object
  readonly networks: {
    readonly default: { readonly ipam: { readonly config: readonly { subnet: string; ip_range: string }[] } }
  }
}
const compose: Compose = parse(composeText, { merge: true })
/** Where a service keeps each volume, by the volume's name. */
const mounts = (name: string) =>
  Object.fromEntries(compose.services[name]!.volumes!.map((volume) => volume.split(':') as [string, string]))
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

describe('compose.yaml', () => {
  test('compose.yaml gives every gateway settings that it accepts', () => {
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

  test('compose.yaml gives a gateway the time to drain, and no rights that it does not need', () => {
    for (const [, service] of gateways) {
      const { drainDelayMs, drainMs } = gatewayConfig(service.environment!).server
      expect(service.stop_grace_period).toBe(`${(drainDelayMs + drainMs) / 1000 + 15}s`)
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    }
  })

  test('compose.yaml mounts key files from a folder that git ignores', () => {
    for (const [name] of gateways) expect(mounts(name)['./keys']).toBe('/etc/gateway-keys')
    expect(read('../.gitignore').split('\n')).toContain('deploy/keys')
  })

  test('compose.yaml migrates before a gateway starts, as the same program with the same settings', () => {
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

  test('compose.yaml keeps the data of the gateways, the log archive and the backups on volumes', () => {
    for (const [name, { tmpfs }] of [...gateways, ['migrate', migrate!] as const]) {
      expect(mounts(name).gateway).toBe('/data')
      expect(tmpfs).toEqual(['/tmp'])
    }
    const archive = /^archive=(\S+)$/m.exec(read('postgres/node.sh'))![1]
    for (const script of ['archive.sh', 'backup.sh']) expect(read(`postgres/${script}`)).toContain(`:-${archive}}`)
    for (const name of ['db-a', 'db-b', 'backup']) expect(mounts(name).wal).toBe(archive)
    expect(read('postgres/backup.sh')).toContain(`:-${mounts('backup').backups}}`)
  })

  test('compose.yaml archives every segment within a minute and takes a base backup every day', () => {
    const settings = Object.fromEntries(
      [...read('postgres/node.sh').matchAll(/-c (\w+)=('[^']+'|\S+)/g)].map(([, name, value]) => [name, value]),
    )
    expect(settings).toMatchObject({ archive_mode: 'on', archive_timeout: '60' })
    const script = settings.archive_command!.split(' ')[1]!
    for (const name of ['db-a', 'db-b']) expect(mounts(name)['./postgres/archive.sh']).toBe(script)
    const { entrypoint, depends_on } = compose.services.backup!
    expect(entrypoint).toEqual(['bash', mounts('backup')['./postgres/backup.sh'], '--every', String(24 * 3600)])
    // It must run while one of the two servers is gone.
    expect(Object.values(depends_on!).every(({ required }) => required === false)).toBe(true)
  })

  test('compose.yaml has an image for each version, so that the older one is still there to go back to', () => {
    for (const [, { image }] of gateways) expect(image).toMatch(/^api-relay-gateway:\$\{IMAGE_VERSION:\?/)
  })

  test('compose.yaml passes credentials of providers, SMS and email to every gateway from a file that git ignores', () => {
    for (const [, { env_file }] of gateways) expect(env_file).toBe('gateway.env')
    expect(read('../.gitignore').split('\n')).toContain('deploy/gateway.env')
    const named = [...read('gateway.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(named).toEqual(['MODEL_B_KEY', 'SMTP_URL'])
  })

  test('compose.yaml writes logs that outlive their containers, those of all gateways under one name', () => {
    expect(Object.entries(compose.services).filter(([, { logging }]) => logging?.driver !== 'journald')).toEqual([])
    for (const [, { logging }] of gateways) expect(logging!.options.tag).toBe('gateway')
  })

  test('compose.yaml sets fixed addresses that Docker gives to no other container', () => {
    const [network] = compose.networks.default.ipam.config
    const [free, dynamic] = [network!.subnet, network!.ip_range].map((range) => {
      const list = new BlockList()
      const [address, prefix] = range!.split('/')
      list.addSubnet(address!, Number(prefix))
      return list
    })
    const fixed = Object.values(compose.services).flatMap(({ networks }) => networks?.default.ipv4_address ?? [])
    expect(new Set(fixed).size).toBe(3)
    for (const address of fixed) expect([free!.check(address), dynamic!.check(address)]).toEqual([true, false])
  })

  test('compose.yaml names only files, services, volumes and variables that exist', () => {
    for (const { volumes = [], depends_on = {}, build } of Object.values(compose.services)) {
      if (build) expect(existsSync(join(deploy, build.context, build.dockerfile))).toBe(true)
      for (const [source] of volumes.map((volume) => volume.split(':') as [string])) {
        // The operator's own.
        if (source === './certificate.pem' || source === './keys') continue
        expect(source.startsWith('./') ? existsSync(join(deploy, source)) : source in compose.volumes).toBe(true)
      }
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)
      expect(needed.filter((name) => !(name in compose.services))).toEqual([])
    }
    const required = [...composeText.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name!)
    expect(required.filter((name) => !(name in example))).toEqual([])
  })

  test('compose.yaml waits for whichever is the standby', () => {
    const names = /synchronous_standby_names = 'ANY 1 \(([^)]+)\)'/.exec(read('postgres/primary.sh'))![1]!.split(', ')
    const nodes = ['db-a', 'db-b'].map((name) => compose.services[name]!.environment!.NODE_NAME)
    expect(names).toEqual(nodes)
  })
})

describe('haproxy.cfg', () => {
  const haproxy = read('haproxy.cfg')

  test('haproxy.cfg sends requests and checks to the ports of the gateways, and a lost request to another one', () => {
    const servers = [...haproxy.matchAll(/^ {2}server (\S+) "\$\{(\w+)-\1\}:(\d+)"$/gm)]
    const addresses = compose.services.haproxy!.environment!
    expect(servers.map(([, name, variable, port]) => [name, addresses[variable!], Number(port)])).toEqual(
      gateways.map(([name, { networks, environment }]) => [
        name,
        networks!.default.ipv4_address,
        gatewayConfig(environment!).listen.port,
      ]),
    )
    const operatorPort = gatewayConfig(gateways[0]![1].environment!).operatorListen!.port
    expect(haproxy).toContain(`check port ${operatorPort} `)
    const { HTTPS_PORT } = addresses
    expect((compose.services.haproxy as { ports?: string[] }).ports).toEqual([`443:${HTTPS_PORT}`])
    expect(haproxy).toMatch(/^ {2}retry-on .*\bempty-response\b/m)
  })
})

describe('gateway.service', () => {
  const unit = read('gateway.service')

  test('gateway.service gives the gateway the time to drain and names settings that exist', () => {
    const { drainDelayMs, drainMs } = loadConfig({ GATEWAY_CONFIG: join(deploy, 'gateway.json') }).server
    expect(unit).toContain(`TimeoutStopSec=${(drainDelayMs + drainMs) / 1000 + 15}`)
    const named = unit.match(/\bGATEWAY_[A-Z_]+(?==)/g)!
    expect(named.filter((name) => !variableTable.some((variable) => variable.name === name))).toEqual([])
  })
})
