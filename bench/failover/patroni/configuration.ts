import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse, stringify } from 'yaml'

const shipped = (name: string) => readFileSync(resolve(import.meta.dirname, '../../../deploy/patroni', name), 'utf8')

/** Where others reach a node: each way can be cut off. */
export interface NodeWays {
  readonly restPort: number
  readonly postgresPort: number
}

export interface NodePlace extends NodeWays {
  readonly letter: string
  readonly folder: string
  readonly etcdPort: number
  /** Ports that its programs listen on. */
  readonly own: NodeWays
  readonly passwords: Passwords
  readonly binDir: string
}

export interface Passwords {
  readonly superuser_password: string
  readonly replication_password: string
  readonly rest_password: string
}

const host = '127.0.0.1'

/** As envsubst does it; every name must be known. */
function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`nothing is known about "${name}"`)
    return value
  })
}

/** `deploy/patroni/patroni.yml` on loopback: other ports and paths, and nothing else. */
export function patroniConfiguration(place: NodePlace): string {
  const { letter, folder, etcdPort, own, passwords, binDir } = place
  const addresses = { self: host, address_a: host, address_b: host, address_c: host }
  const config = parse(fillIn(shipped('patroni.yml'), { node: letter, ...addresses, ...passwords }))
  const { restapi, bootstrap, postgresql } = config
  Object.assign(restapi, { listen: `${host}:${own.restPort}`, connect_address: `${host}:${place.restPort}` })
  // Without `use_proxies` it asks etcd for its address, and goes around the way that can be cut off.
  config.etcd = { hosts: `${host}:${etcdPort}`, use_proxies: true }
  bootstrap.dcs.postgresql.parameters.archive_command = `bash ${join(folder, 'archive.sh')} %p %f`
  for (const login of Object.values<{ sslrootcert: string }>(postgresql.authentication)) {
    login.sslrootcert = join(folder, 'database.pem')
  }
  Object.assign(postgresql, {
    listen: `${host}:${own.postgresPort}`,
    connect_address: `${host}:${place.postgresPort}`,
    data_dir: join(folder, 'data'),
    bin_dir: binDir,
    pgpass: join(folder, 'pgpass'),
  })
  Object.assign(postgresql.parameters, {
    unix_socket_directories: folder,
    ssl_cert_file: join(folder, 'database.pem'),
    ssl_key_file: join(folder, 'database.key'),
  })
  config.watchdog.mode = 'off'
  return stringify(config)
}

/** `deploy/patroni/haproxy.cfg` with nodes on loopback. */
export function haproxyConfiguration(port: number, nodes: readonly NodeWays[]): string {
  const servers = nodes.map(
    ({ postgresPort, restPort }, place) => `  server node-${place + 1} ${host}:${postgresPort} port ${restPort}\n`,
  )
  return shipped('haproxy.cfg')
    .replace(/^ {2}bind .*$/m, `  bind ${host}:${port}`)
    .replace(/(?:^ {2}server .*\n)+/m, servers.join(''))
}

export const binDirOf = (postgres: string) => dirname(postgres)
