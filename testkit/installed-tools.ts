import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']

/** The path of an installed program; undefined where there is none. */
const find = (name: string) => places.map((place) => join(place, name)).find((path) => existsSync(path))

const findAt = (path: string) => (existsSync(path) ? path : undefined)

/** Programs that some tests run where they are installed: no test needs one to pass. */
export const tools = {
  pgbouncer: find('pgbouncer'),
  haproxy: find('haproxy'),
  'systemd-analyze': find('systemd-analyze'),
  promtool: find('promtool'),
  // With golang-github-masterminds-sprig-dev and golang-gopkg-yaml.v3-dev it renders the chart. Debian's own Go, because a newer one
  // on the PATH compiles its standard library first.
  go: existsSync('/usr/share/gocode/src/github.com/Masterminds/sprig') ? findAt('/usr/bin/go') : undefined,
  // With all its programs; Debian keeps them apart for each version.
  postgres: [...globSync('/usr/lib/postgresql/{15,16,17,18}/bin/postgres').sort().reverse(), find('postgres')].find(
    Boolean,
  ),
} as const

export const missingTools = Object.entries(tools).flatMap(([name, path]) => (path === undefined ? [name] : []))

/** What two whole machines need, which `npm run test:machines` sets up, by their packages. */
export const missingOnMachines = Object.entries({
  systemd: find('systemctl'),
  haproxy: tools.haproxy,
  nftables: find('nft'),
  postgresql: tools.postgres,
}).flatMap(([name, path]) => (path === undefined ? [name] : []))

export const patroniPrograms = {
  patroni: find('patroni'),
  etcd: find('etcd'),
  haproxy: tools.haproxy,
  postgres: tools.postgres,
} as const

/** What `npm run bench:failover -- --patroni` needs, by Debian's packages. */
export const missingForPatroni = Object.entries({
  patroni: patroniPrograms.patroni,
  'etcd-server': patroniPrograms.etcd,
  haproxy: patroniPrograms.haproxy,
  postgresql: patroniPrograms.postgres,
}).flatMap(([name, path]) => (path === undefined ? [name] : []))

/** What three machines need in addition. */
export const missingOnThreeMachines = [
  ...new Set([...missingOnMachines, ...missingForPatroni, ...(find('envsubst') === undefined ? ['gettext-base'] : [])]),
]

/** Whether the chart is rendered; with REQUIRE_HELM=1 always, so that CI fails instead of leaving it out. */
export const runsHelm = tools.go !== undefined || process.env.REQUIRE_HELM === '1'
