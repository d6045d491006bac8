import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAlike } from '../../testkit/deploy/environment-lines.ts'
import { type Machine, type Network, openNetwork } from '../../testkit/deploy/machines/machines.ts'
import { inlineOnMachines as inline, printedBlocks } from '../../testkit/deploy/machines/page-commands.ts'
import { buildProgram, chooseSms } from '../../testkit/deploy/machines/program.ts'
import { printedBlock } from '../../testkit/docs/operator-shell.ts'
import { missingOnMachines } from '../../testkit/installed-tools.ts'

const program = join(import.meta.dirname, '../../testkit/deploy/machines/customer.ts')
const blocks = printedBlocks('two-machines')
const [addressA, addressB, clientAddress] = ['10.20.0.11', '10.20.0.12', '10.20.0.50']

/** Every text that a machine was given to run. */
const ran = new Set<string>()
const recorded = (machine: Machine): Machine => ({
  ...machine,
  run: (text, values) => {
    ran.add(text)
    return machine.run(text, values)
  },
})
/** A command within the text of the page: a statement for psql, or a command line with what the page leaves open. */
const typed = (machine: Machine, command: string, rest = '') => {
  ran.add(command)
  const isStatement = /^(?:ALTER|SELECT) /.test(command)
  return machine.run(isStatement ? `cd /\nrunuser --user=postgres -- psql --command="${command}"` : `${command}${rest}`)
}

/** Runs the blocks below a heading of the page as they are printed, on the machines that they name; resolves with what they printed. */
async function follow(heading: string, machines: Readonly<Record<'a' | 'b', Machine>>, values = {}): Promise<string[]> {
  const printed: string[] = []
  for (const { on, text } of blocks.get(heading)!) {
    if (on === 'build' || on === 'client') continue
    for (const name of on === 'a' || on === 'b' ? [on] : (['a', 'b'] as const))
      printed.push(await machines[name].run(text, values))
  }
  return printed
}

describe('two machines set up as docs/two-machines.md prints it', { timeout: 600_000 }, () => {
  let folder: string
  let network: Network
  let machines: Readonly<Record<'a' | 'b', Machine>>
  let customer: { readonly project: string; readonly key: string }

  beforeAll(async () => {
    if (missingOnMachines.length > 0) throw new Error(`not installed: ${missingOnMachines.join(', ')}`)
    folder = await mkdtemp(join(tmpdir(), 'gateway-site-'))
    const archive = await buildProgram(folder)
    network = await openNetwork()
    network.join('a', addressA)
    network.join('b', addressB)
    network.join('client', clientAddress)
    machines = { a: recorded(network.machine('a')), b: recorded(network.machine('b')) }
    await Promise.all([machines.a.boot(), machines.b.boot()])
    for (const machine of [machines.a, machines.b]) {
      await machine.receive(archive, '/root/gateway-1.tar.gz')
      await machine.receive(archive, '/root/gateway-2.tar.gz')
    }
  }, 300_000)
  afterAll(async () => {
    await network?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** A program at the client's address. */
  const start = (...args: string[]) => network.spawnAt('client', process.execPath, program, ...args)
  const outputOf = async (child: ReturnType<typeof start>) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`exit code ${code}: ${output}`)
    return output
  }
  const certificate = () => join(folder, 'origin.pem')
  const openPort = (port: number) =>
    outputOf(network.spawnAt('client', 'bash', '-c', `timeout 2 bash -c 'echo >/dev/tcp/${addressA}/${port}'`)).then(
      () => true,
      () => false,
    )
  /** The printed call of a customer, through the proxy of one machine. */
  const call = (address: string) => {
    const { text } = blocks.get('First paid call')!.find(({ on }) => on === 'client')!
    const trusted = `--cacert ${certificate()} --resolve gateway.example:443:${address} --include`
    const command = `key=${customer.key}\n${text.replace('curl ', `curl ${trusted} `)}`
    return outputOf(network.spawnAt('client', 'bash', '-c', command))
  }
  /** What ended with each status while `work` ran under load. */
  const underLoad = async (work: () => Promise<unknown>): Promise<Record<string, number>> => {
    const stop = join(folder, 'stop')
    const counts = outputOf(start('load', certificate(), `${addressA},${addressB}`, customer.key, stop))
    try {
      await work()
    } finally {
      await writeFile(stop, '')
    }
    const counted = JSON.parse(await counts)
    await rm(stop)
    return counted
  }

  test('two machines set up as docs/two-machines.md prints it reach a first paid call, with the unit, the firewall and both proxies as shipped', async () => {
    await follow('Choose addresses and secrets', { ...machines, b: nowhere })
    for (const file of ['values', 'database.key', 'database.pem', 'certificate.pem']) {
      await machines.b.run(`mkdir --parents --mode=0700 /etc/gateway/site && cat >/etc/gateway/site/${file} <<'END'
${(await machines.a.run(`cat /etc/gateway/site/${file}`)).replace(/^node=a.*\n/m, '')}END
`)
    }
    await machines.b.run(blocks.get('Choose addresses and secrets')!.at(-1)!.text)
    await writeFile(certificate(), await machines.a.run('cat /etc/gateway/site/origin.pem'))
    for (const heading of ['Packages and program', 'Firewall']) await follow(heading, machines)
    const replication = (await follow('PostgreSQL', machines)).at(-1)
    expect(replication).toMatch(/db_b\s*\|\s*streaming\s*\|\s*quorum/)

    const relay = start('relay', join(folder, 'sms'))
    await once(relay.stdout, 'data')
    const [configure, addModel, startGateways] = blocks.get('The gateway')!
    for (const machine of [machines.a, machines.b]) {
      await machine.run(configure!.text)
      await machine.run(addModel!.text)
      await machine.run(chooseSms(clientAddress))
    }
    for (const machine of [machines.a, machines.b]) await machine.run(startGateways!.text)
    const [, , ...checks] = await follow('HAProxy', machines)
    for (const check of checks) expect(check.match(/^ready$/gm)).toHaveLength(2)

    customer = JSON.parse(await outputOf(start('register', certificate(), addressA, join(folder, 'sms'))))
    await follow('First paid call', machines, { project: customer.project })
    expect(await call(addressA)).toContain('"status":"settled"')
    expect(await call(addressB)).toMatch(/idempotent-replayed: true/i)

    expect(await Promise.all([443, 5432, 8787, 8788].map(openPort))).toEqual([true, false, false, false])
  })

  test('two machines set up as docs/two-machines.md prints it start under the unit on all addresses, where it may not list its interfaces', async () => {
    const families = await machines.b.run('systemctl show gateway --property=RestrictAddressFamilies')
    expect(families).not.toContain('NETLINK')
    const listen = (
      address: string,
    ) => `sed --in-place 's/^GATEWAY_OPERATOR_LISTEN=.*/GATEWAY_OPERATOR_LISTEN=${address}:8788/' /etc/gateway/environment
      systemctl restart gateway
      curl --silent --fail --retry 30 --retry-delay 1 --retry-all-errors http://${addressB}:8788/readyz`
    expect(await machines.b.run(listen('0.0.0.0'))).toContain('ready')
    const status = (host: string) =>
      machines.b.run(
        `curl --silent --output /dev/null --write-out '%{http_code}' --header 'Host: ${host}' http://${addressB}:8788/api/me`,
      )
    expect([await status(`${addressB}:8788`), await status('gateway')]).toEqual(['401', '421'])
    await machines.b.run(listen(addressB))
  })

  test('two machines set up as docs/two-machines.md prints it read a variable in the unit as gateway.sh reads it', async () => {
    for (const [line, value] of readAlike) {
      await machines.b.run(`cat >/root/environment <<'END'\n${line}\nEND\n`)
      const read = 'systemd-run --quiet --wait --pipe --property=EnvironmentFile=/root/environment printenv NAME'
      expect([line, await machines.b.run(read)]).toEqual([line, `${value}\n`])
    }
  })

  test('two machines set up as docs/two-machines.md prints it take verified base backups, and archive the log of the primary', async () => {
    for (const listed of await follow('Back it up', machines)) expect(listed).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z\n$/m)
    // The exit code of a unit that has done its work is 3.
    expect(await typed(machines.a, inline.backupStatus, ' || test $? = 3')).toMatch(/status=0\/SUCCESS/)
    expect(await typed(machines.a, inline.gatewayLog)).toMatch(/^\{"level".*"msg":"request"\}$/m)
    await machines.a.run(`runuser --user=postgres -- psql --command='SELECT pg_switch_wal()'
      until ls /var/lib/postgresql/wal | grep --quiet '^0000000100000000[0-9A-F]*$'; do sleep 0.2; done`)
  })

  test('two machines set up as docs/two-machines.md prints it lose no answered call with a machine, and take it back as the standby', async () => {
    // A standby that is built while commits wait for one has the setting of the primary.
    await machines.b.crash()
    await machines.b.boot()
    await machines.b.run(blocks.get('PostgreSQL')!.find(({ on }) => on === 'b')!.text)
    const standbyOf = (machine: Machine) =>
      machine.run(
        `cd /\nrunuser --user=postgres -- psql --command='SELECT application_name, sync_state FROM pg_stat_replication'`,
      )
    await expect.poll(() => standbyOf(machines.a)).toMatch(/db_b\s*\|\s*quorum/)

    await machines.a.crash()
    const [promote] = blocks.get('Lose a machine')!
    await machines.b.run(promote!.text)
    await machines.b.run(`until curl --silent --fail http://${addressB}:8788/readyz; do sleep 0.2; done`)
    // Charged before, so it is answered from the store that was promoted.
    await expect.poll(() => call(addressB).catch(String), { timeout: 60_000 }).toMatch(/idempotent-replayed: true/i)
    expect(await machines.b.run('gateway reconcile')).toBeTruthy()

    await machines.a.boot()
    expect(await machines.a.run('systemctl is-active postgresql@15-main || true')).toContain('inactive')
    const [, rebuild, wait] = blocks.get('Lose a machine')!
    await machines.a.run(rebuild!.text)
    await machines.b.run(wait!.text)
    await expect.poll(() => standbyOf(machines.b)).toMatch(/db_a\s*\|\s*quorum/)
    await machines.a.run(`until curl --silent --fail http://${addressA}:8788/readyz; do sleep 0.5; done`)
  })

  test('two machines set up as docs/two-machines.md prints it continue without a lost standby once configured to', async () => {
    const [, , wait] = blocks.get('Lose a machine')!
    await typed(machines.a, inline.stopDatabase)
    await typed(machines.b, inline.awaitNoStandby)
    await typed(machines.b, inline.reload)
    await machines.b.run(`until curl --silent --fail http://${addressB}:8788/readyz; do sleep 0.2; done`)
    await machines.b.run(`gateway credits grant ${customer.project} 1 --reference alone --reason 'no standby'`)
    await typed(machines.a, inline.startDatabase)
    await machines.b.run(wait!.text)
    await typed(machines.b, inline.allowWrites)
  })

  test('two machines set up as docs/two-machines.md prints it stop and start PostgreSQL as a restore does, without root', async () => {
    const site = printedBlock('docs/recovery.md', 'site')
    const restart = `stop_server\nstart_server\npsql -Atc "SELECT 'it serves'"\nls -d "$PGDATA/base" "$ARCHIVE" "$BACKUPS"\nstop_server\n`
    const asPostgres = `cd /\nrunuser --user=postgres -- bash -euo pipefail <<'PASTED'\n${site}${restart}PASTED\n`
    expect(await machines.a.run(asPostgres)).toContain('it serves')
    await typed(machines.a, inline.startDatabase)
    await machines.b.run(`until curl --silent --fail http://${addressB}:8788/readyz; do sleep 0.2; done`)
  })

  test('two machines set up as docs/two-machines.md prints it can be dumped and restored into a new database', async () => {
    const charges = (database: string) =>
      machines.b.run(
        `cd /\nrunuser --user=postgres -- psql --tuples-only ${database} --command='SELECT count(*) FROM charges'`,
      )
    await machines.b.run('cd /\nrunuser --user=postgres -- createdb --owner=gateway restored')
    await machines.b.run(`cd /\nrunuser --user=postgres -- ${inline.dump} gateway >/tmp/dump
runuser --user=postgres -- pg_restore --exit-on-error --dbname=restored /tmp/dump
rm /tmp/dump\n`)
    ran.add(inline.dump)
    expect(await charges('restored')).toBe(await charges('gateway'))
  })

  test('two machines set up as docs/two-machines.md prints it are upgraded and taken back one after another without a failed call', async () => {
    await machines.b.run(`gateway credits grant ${customer.project} 100000 --reference load --reason load`)
    const counts = await underLoad(() => follow('Upgrade, and go back', machines))
    expect(Object.keys(counts)).toEqual(['200'])
    expect(counts['200']).toBeGreaterThan(50)
    expect(await machines.a.run('readlink /opt/gateway; gateway reconcile')).toMatch(/^\/opt\/gateway-1\n/)
  })

  test('two machines set up as docs/two-machines.md prints it were given every command that the page prints for them', () => {
    const all = [...blocks.values()].flat()
    const isElsewhere = ({ on }: (typeof all)[number]) => on === 'build' || on === 'client'
    expect(all.filter(isElsewhere).map(({ on }) => on)).toEqual(['build', 'client'])
    const ofMachines = all.filter((block) => !isElsewhere(block))
    const printed = [...ofMachines.map(({ text }) => text), ...Object.values(inline)]
    expect(printed.filter((text) => !ran.has(text))).toEqual([])
  })
})

/** The page has the operator copy a folder instead of running a block there. */
const nowhere: Machine = { run: async () => '', receive: async () => {}, boot: async () => {}, crash: async () => {} }
