import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const read = (name: string) => readFileSync(resolve(import.meta.dirname, '../..', name), 'utf8')
const [template, etcd, haproxy] = ['patroni.yml', 'etcd.env', 'haproxy.cfg'].map((name) =>
  read(`deploy/patroni/${name}`),
)
const page = read('docs/patroni.md')

const namesIn = (text: string) => new Set([...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!))
/** What the page writes to the `values` of a machine. */
const values = new Set(
  [...page.matchAll(/^(?:echo ')?((?:\w+=\S+ ?)+)/gm)].flatMap(([, line]) => line!.match(/\w+(?==)/g)!),
)
const config = parse(template!.replace(/\$\{(\w+)\}/g, '$1'))
const { dcs, initdb } = config.bootstrap

describe('deploy/patroni', () => {
  test('deploy/patroni needs only values that docs/patroni.md writes', () => {
    const needed = namesIn(template!).union(namesIn(etcd!))
    expect(needed).toContain('address_c')
    expect([...needed.difference(values)]).toEqual([])
    // envsubst would replace these too.
    expect(`${template}${etcd}`.match(/\$(?!\{\w+\}|\{\.\.\.\})/g)).toBeNull()
  })

  test('deploy/patroni promotes only a standby that has every acknowledged commit', () => {
    expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true })
    expect(dcs.postgresql.parameters).not.toHaveProperty('synchronous_commit')
    expect(dcs.postgresql.use_pg_rewind && initdb.includes('data-checksums')).toBe(true)
    expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl)
  })

  test('deploy/patroni keeps the leader lock where a primary that was frozen cannot take it back', () => {
    // The other driver of Patroni before 3.0.3 writes the lock without a comparison.
    expect(config).not.toHaveProperty('etcd3')
    expect(config.etcd.hosts.split(',')).toEqual(['a', 'b', 'c'].map((node) => `address_${node}:2379`))
    expect(etcd).toMatch(/^ETCD_ENABLE_V2=true$/m)
  })

  test('deploy/patroni accepts logins from the three machines only, encrypted and with a password', () => {
    const isLocal = (line: string) => line.startsWith('local ')
    const hba: readonly string[] = config.postgresql.pg_hba
    expect(hba.filter(isLocal)).toEqual(['local all postgres peer', 'local replication postgres peer'])
    const remote = hba.filter((line) => !isLocal(line))
    expect(new Set(remote.map((line) => line.split(/ +/).at(-2)))).toEqual(
      new Set(['address_a/32', 'address_b/32', 'address_c/32']),
    )
    expect(remote.filter((line) => !/^hostssl .* scram-sha-256$/.test(line))).toEqual([])
  })

  test('deploy/patroni talks to etcd, and etcd to itself, with the certificate of the site only', () => {
    expect(`${template}${etcd}`).not.toMatch(/http:/)
    const { protocol, cacert, cert, key } = config.etcd
    expect([protocol, cacert, cert, key]).toEqual([
      'https',
      ...['pem', 'pem', 'key'].map((end) => `/etc/patroni/etcd.${end}`),
    ])
    for (const side of ['', 'PEER_']) {
      expect(etcd).toMatch(new RegExp(`^ETCD_${side}CLIENT_CERT_AUTH=true$`, 'm'))
      expect(etcd).toMatch(new RegExp(`^ETCD_${side}TRUSTED_CA_FILE=`, 'm'))
    }
  })

  test('deploy/patroni lets a standby find a new primary at once after a switchover', () => {
    expect(dcs.postgresql.parameters.wal_retrieve_retry_interval).toBe('500ms')
  })

  test('deploy/patroni leads to the node that holds the leader lock, where Patroni listens', () => {
    expect(haproxy).toContain('http-check send meth GET uri /primary')
    expect(haproxy).toContain('on-marked-down shutdown-sessions')
    const [, restPort] = config.restapi.listen.split(':')
    const [, postgresPort] = config.postgresql.listen.split(':')
    expect(haproxy).toContain(`check port ${restPort} `)
    const servers = [...haproxy!.matchAll(/^ {2}server (\w+) .*:(\d+)"$/gm)].map(([, name, port]) => [name, port])
    expect(servers).toEqual(['a', 'b', 'c'].map((node) => [config.name.replace('node', node), postgresPort]))
  })

  test('deploy/patroni listens on ports that the firewall of docs/patroni.md opens to the other machines', () => {
    const [, opened] = /ip saddr \{.*?\} tcp dport \{ (.*?) \}/.exec(page)!
    const used = [...`${template}\n${etcd}`.matchAll(/(?:self|address_[abc])\}:(\d+)/g)].map(([, port]) => port!)
    expect(new Set([...used, '8787', '8788'])).toEqual(new Set(opened!.split(', ')))
    expect(page).toContain(`127.0.0.1:${/DATABASE_PORT-(\d+)/.exec(haproxy!)![1]}/gateway`)
  })

  test('deploy/patroni has the times that docs/patroni.md quotes', () => {
    const quoted = [...page.matchAll(/`(ttl|loop_wait|wal_sender_timeout)`(?: \(|, )(\d+) seconds/g)]
    expect(quoted.length).toBeGreaterThan(2)
    const times: Record<string, string> = { ...dcs, ...dcs.postgresql.parameters }
    for (const [, name, seconds] of quoted) expect(Number.parseInt(times[name!]!, 10)).toBe(Number(seconds))
  })
})
