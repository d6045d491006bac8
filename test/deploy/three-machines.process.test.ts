import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pasteableTime } from '../../src/ops/log.ts'
import { type Machine, type Network, openNetwork } from '../../testkit/deploy/machines/machines.ts'
import { type PrintedBlock, printedBlocks } from '../../testkit/deploy/machines/page-commands.ts'
import { buildProgram, chooseSms } from '../../testkit/deploy/machines/program.ts'
import { printedBlock } from '../../testkit/docs/operator-shell.ts'
import { missingOnThreeMachines } from '../../testkit/installed-tools.ts'

const program = join(import.meta.dirname, '../../testkit/deploy/machines/customer.ts')
const blocks = printedBlocks('patroni')
const ofRecovery = (name: string) => printedBlock('docs/recovery.md', name)
const letters = ['a', 'b', 'c'] as const
type Letter = (typeof letters)[number]
const addresses: Readonly<Record<Letter, string>> = { a: '10.20.0.11', b: '10.20.0.12', c: '10.20.0.13' }
const clientAddress = '10.20.0.50'

/** Every block of the page that a machine was given to run. */
const ran = new Set<string>()

/** The machines that a block names. */
const machinesOf: Readonly<Partial<Record<PrintedBlock['on'], readonly Letter[]>>> = {
  ...{ a: ['a'], b: ['b'], c: ['c'] },
  both: ['a', 'b'],
  all: letters,
  postgres: ['a'],
}
/** As if it was pasted into a shell of that user. */
const asPostgres = (text: string) => `cd /\nrunuser --user=postgres -- bash -euo pipefail <<'PASTED'\n${text}PASTED\n`
const wal = '/var/lib/postgresql/wal'

describe('three machines set up as docs/patroni.md prints it', { timeout: 600_000 }, () => {
  let folder: string
  let network: Network
  let machines: Readonly<Record<Letter, Machine>>
  let customer: { readonly project: string; readonly key: string }

  beforeAll(async () => {
    if (missingOnThreeMachines.length > 0) throw new Error(`not installed: ${missingOnThreeMachines.join(', ')}`)
    folder = await mkdtemp(join(tmpdir(), 'gateway-site-'))
    const archive = await buildProgram(folder)
    network = await openNetwork()
    for (const letter of letters) network.join(letter, addresses[letter])
    network.join('client', clientAddress)
    machines = { a: network.machine('a'), b: network.machine('b'), c: network.machine('c') }
    await Promise.all(letters.map((letter) => machines[letter].boot()))
    for (const letter of letters) await machines[letter].receive(archive, '/root/gateway-1.tar.gz')
  }, 600_000)
  afterAll(async () => {
    await network?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Runs one block of the page as it is printed, or all below a heading; resolves with what the last machine printed. */
  async function follow(heading: string, place?: number, values = {}): Promise<string> {
    let printed = ''
    for (const { on, text } of blocks.get(heading)!.filter((_, at) => place === undefined || at === place)) {
      for (const letter of machinesOf[on]!) printed = await machines[letter].run(text, values)
      ran.add(text)
    }
    return printed
  }
  const start = (...args: string[]) => network.spawnAt('client', process.execPath, program, ...args)
  const outputOf = async (child: ReturnType<typeof start>) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`exit code ${code}: ${output}`)
    return output
  }
  const certificate = () => join(folder, 'origin.pem')
  /** The printed call of a customer, through the proxy of one machine. */
  const call = (address: string, idempotencyKey = 'first') => {
    const { text } = blocks.get('First paid call')!.find(({ on }) => on === 'client')!
    const trusted = `--cacert ${certificate()} --resolve gateway.example:443:${address} --include`
    const command = `key=${customer.key}\n${text.replace('curl ', `curl ${trusted} `).replace('first', idempotencyKey)}`
    return outputOf(network.spawnAt('client', 'bash', '-c', command))
  }
  const members = (machine: Machine) => machine.run(blocks.get('PostgreSQL under Patroni')![1]!.text)
  const untilWhole = (machine: Machine) =>
    expect
      .poll(() => members(machine), { timeout: 180_000, interval: 1000 })
      .toMatch(/^(?=.*\| Leader )(?=.*\| Sync Standby )(?:.*\| running ){3}/s)
  /** Of the checkpoint that a gateway keeps. */
  const treeSize = async (letter: Letter) =>
    Number(await machines[letter].run('sed --quiet 2p /var/lib/gateway/transparency/checkpoint'))
  const untilListed = (list: RegExp) =>
    expect.poll(() => members(machines.a), { timeout: 60_000, interval: 1000 }).toMatch(list)
  /** Charged before, so it is answered from the store. */
  const untilReplayed = (address: string) =>
    expect.poll(() => call(address).catch(String), { timeout: 120_000 }).toMatch(/idempotent-replayed: true/i)

  test('three machines set up as docs/patroni.md prints it reach a first paid call', async () => {
    for (const place of [0, 1]) await follow('Choose addresses and secrets', place)
    for (const letter of ['b', 'c'] as const) {
      for (const file of ['values', 'database.key', 'database.pem', 'etcd.key', 'etcd.pem', 'certificate.pem']) {
        const text = await machines.a.run(`cat /etc/gateway/site/${file}`)
        const to = `/etc/gateway/site/${file}`
        await machines[letter].run(`mkdir --parents --mode=0700 /etc/gateway/site && cat >${to} <<'END'\n${text}END\n`)
      }
    }
    for (const place of [2, 3, 4]) await follow('Choose addresses and secrets', place)
    await writeFile(certificate(), await machines.a.run('cat /etc/gateway/site/origin.pem'))
    for (const heading of ['Packages and program', 'Firewall', 'etcd']) await follow(heading)
    await follow('PostgreSQL under Patroni', 0)
    await untilWhole(machines.a)
    for (const place of [1, 2]) await follow('PostgreSQL under Patroni', place)
    await follow('HAProxy')

    const relay = start('relay', join(folder, 'sms'))
    await once(relay.stdout, 'data')
    for (const place of [0, 1]) await follow('The gateway', place)
    for (const letter of ['a', 'b'] as const) await machines[letter].run(chooseSms(clientAddress))
    expect(await follow('The gateway', 2)).toMatch(/^ready$/m)
    customer = JSON.parse(await outputOf(start('register', certificate(), addresses.a, join(folder, 'sms'))))
    await follow('First paid call', 0, { project: customer.project })
    expect(await call(addresses.a)).toContain('"status":"settled"')
    expect(await call(addresses.b)).toMatch(/idempotent-replayed: true/i)
  })

  test('three machines set up as docs/patroni.md prints it keep etcd from whoever has no certificate', async () => {
    const ask = (options: string) =>
      machines.b.run(`curl --silent --show-error ${options}://${addresses.a}:2379/v2/keys/service/gateway/config`)
    expect(await ask('--cacert /etc/etcd/etcd.pem --cert /etc/etcd/etcd.pem --key /etc/etcd/etcd.key https')).toContain(
      'archive_command',
    )
    for (const options of ['--insecure https', 'http']) await expect(ask(options)).rejects.toThrow(/exit code \d+/)
    const files = await machines.b.run('stat --format="%U %a" /etc/etcd /etc/etcd/etcd.key /etc/patroni/etcd.key')
    expect(files).toBe('etcd 700\netcd 600\npostgres 600\n')
  })

  test('three machines set up as docs/patroni.md prints it take verified base backups on each, as docs/two-machines.md prints it', async () => {
    const [{ text }] = printedBlocks('two-machines').get('Back it up')! as [PrintedBlock]
    for (const letter of letters) expect(await machines[letter].run(text)).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z\n$/m)
  })

  test('three machines set up as docs/patroni.md prints it switch over without a restart of the gateways', async () => {
    expect(await follow('What happens when')).toContain('Successfully switched over')
    await untilReplayed(addresses.a)
    await untilWhole(machines.a)
  })

  test('three machines set up as docs/patroni.md prints it are restored to a point in time, from the archives of two primaries', async () => {
    const before = await treeSize('a')
    expect(await call(addresses.a, 'kept')).toContain('"status":"settled"')
    await expect.poll(() => treeSize('a'), { timeout: 60_000 }).toBe(before + 2)
    const target = pasteableTime(Date.now())
    expect(await call(addresses.a, 'lost')).toContain('"status":"settled"')
    for (const letter of ['a', 'b'] as const)
      await expect.poll(() => treeSize(letter), { timeout: 60_000 }).toBe(before + 4)

    for (const place of [0, 1, 2, 3]) await follow('Restore to a point in time', place)
    for (const letter of ['b', 'c'] as const) {
      const packed = await machines[letter].run(`tar --create --gzip --directory=${wal} . | base64`)
      await machines.a.run(
        `base64 --decode <<'END' | tar --extract --gzip --skip-old-files --directory=${wal}\n${packed}END\n`,
      )
    }
    const [site, reset] = blocks.get('Restore to a point in time')!.filter(({ on }) => on === 'postgres')
    const choose = ofRecovery('choose').replace(/^TARGET=.*$/m, `TARGET='${target}'`)
    const paused = await machines.a.run(asPostgres(site!.text + choose + ofRecovery('restore')))
    expect(paused).toMatch(/^\s*paused\b/m)
    const check = blocks.get('Restore to a point in time')![5]!.text
    let checked = ''
    for (const letter of ['a', 'b'] as const) {
      const printed = await machines[letter].run(check.replace(/^gateway .*$/gm, '$& || test $? = 1'))
      expect(printed).toContain('The public tree is not the one whose checkpoint was kept here')
      expect(printed).toMatch(/^I10 .*\n\n1 differences/m)
      checked += printed
    }
    // One of the two gateways served it, and each machine has the log of its own.
    expect(checked.match(/; \d+ of these charges are missing/g)).toEqual(['; 1 of these charges are missing'])
    await machines.a.run(asPostgres(site!.text + ofRecovery('finish') + reset!.text))
    await untilListed(/^(?!.*Leader)/s)
    await follow('Restore to a point in time', 7)
    await untilListed(/db_a .*\| Leader /)
    await follow('Restore to a point in time', 8)
    await untilListed(/db_a .*db_b .*db_c /s)
    for (const place of [9, 10]) await follow('Restore to a point in time', place)
    for (const text of [site!.text, check, reset!.text]) ran.add(text)

    await machines.a.run("gateway transparency fork --reason 'restored'")
    for (const letter of ['a', 'b'] as const) await machines[letter].run('systemctl start gateway')
    await untilWhole(machines.a)
    for (const letter of ['a', 'b'] as const) await untilReplayed(addresses[letter])
    expect(await call(addresses.a, 'kept')).toMatch(/idempotent-replayed: true/i)
    expect(await call(addresses.a, 'lost')).not.toMatch(/idempotent-replayed/i)
    expect(await machines.a.run('gateway reconcile')).toContain('The books balance')
    // Patroni decides again which standby a commit waits for.
    const standbys = `runuser --user=postgres -- psql --tuples-only --command='SHOW synchronous_standby_names'`
    expect(await machines.a.run(`cd /\n${standbys}`)).toMatch(/^ db_[bc]$/m)
  })

  test('three machines set up as docs/patroni.md prints it lose no answered call with the machine of the primary, and take it back as a standby', async () => {
    const list = await members(machines.a)
    const lost = letters.find((letter) => new RegExp(`db_${letter} .*\\| Leader `).test(list))!
    const other = lost === 'a' ? 'b' : 'a'
    await machines[lost].crash()
    await untilReplayed(addresses[other])
    await machines[lost].boot()
    await untilWhole(machines[other])
    expect(await machines[other].run('gateway reconcile')).toContain('The books balance')
  })

  test('three machines set up as docs/patroni.md prints it were given every block that the page prints for them', () => {
    const ofMachines = [...blocks.values()].flat().filter(({ on }) => on !== 'client')
    expect(ofMachines.map(({ text }) => text).filter((text) => !ran.has(text))).toEqual([])
  })
})
