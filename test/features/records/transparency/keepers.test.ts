import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { forkLog } from '../../../../src/features/records/transparency/fork.ts'
import {
  type Keeper,
  keepersNotChecked,
  keepersServer,
  waiveKeepers,
} from '../../../../src/features/records/transparency/keepers.ts'
import { createTileCache, currentLog } from '../../../../src/features/records/transparency/log-store.ts'
import { transparencyFault } from '../../../../src/features/records/transparency/publisher.ts'
import { transparencyRoutes } from '../../../../src/features/records/transparency/routes.ts'
import type { Call } from '../../../../src/http/route.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { createTree } from '../../../../testkit/receipts/tree-rig.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig, type Rig } from '../../../../testkit/store/rig.ts'

const dayMs = 86_400_000

describe.each(engines)('instances that keep checkpoints, on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let projectId: string
  let server: string
  const folders: string[] = []
  beforeEach(async () => {
    fresh = await freshStore(engine)
    rig = createRig(fresh.store)
    ;({ projectId } = await createCustomer(rig))
    server = 'system-1 00000001'
  })
  afterEach(async () => {
    await fresh.remove()
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
  })

  async function machine(host: string) {
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-keeper-'))
    folders.push(dataDir)
    return { host, dataDir }
  }
  type Machine = Awaited<ReturnType<typeof machine>>

  function start({ host, dataDir }: Machine) {
    const waitedFor: string[] = []
    const onWaiting = (keepers: readonly Keeper[]) => void waitedFor.push(...keepers.map((one) => one.host))
    const keepers = { host, readServer: async () => server, onWaiting }
    return { ...createTree({ engine: fresh.store, dataDir, instanceId: `ins_${host}`, keepers }), waitedFor }
  }

  const run = (sql: string) => fresh.store.write((tx) => tx.run(sql))
  const endClaims = () => run('UPDATE transparency_logs SET claim_until = 0')
  const size = async () => (await fresh.store.read(currentLog)).size

  /** Whether an instance signs an entry that is new. */
  async function signs(tree: ReturnType<typeof start>): Promise<boolean> {
    const before = await size()
    await addCredits(rig, projectId, 10)
    await endClaims()
    await tree.settle()
    return (await size()) > before
  }

  test('after a change of the server nothing is signed before the others have checked', async () => {
    const [a, b] = [await machine('a'), await machine('b')]
    expect(await signs(start(a))).toBe(true)
    expect(await signs(start(b))).toBe(true)
    server = 'system-2 00000001'
    const again = start(a)
    expect(await signs(again)).toBe(false)
    expect(await signs(again)).toBe(false)
    expect(again.waitedFor).toEqual(['b'])
    expect(again.publisher.isSound()).toBe(true)
    expect(await signs(start(b))).toBe(true)
    expect(await signs(again)).toBe(true)
  })

  test('an operator says that an instance is not waited for', async () => {
    const [a, b] = [await machine('a'), await machine('b')]
    for (const one of [a, b]) await signs(start(one))
    server = 'system-2 00000001'
    const again = start(a)
    expect(await signs(again)).toBe(false)
    expect(await fresh.store.write((tx) => waiveKeepers(tx, server))).toMatchObject([{ host: 'b' }])
    expect(await signs(again)).toBe(true)
  })

  test('a single instance is never held up, and one that is gone for a day holds up no other', async () => {
    const [a, b] = [await machine('a'), await machine('b')]
    await signs(start(b))
    // A restored copy may be much older than a day, too.
    await run(`UPDATE transparency_keepers SET seen_at = seen_at - ${9 * dayMs}`)
    await signs(start(a))
    await run(`UPDATE transparency_keepers SET seen_at = seen_at - ${7 * dayMs}`)
    server = 'system-2 00000001'
    expect(await signs(start(a))).toBe(true)
    server = 'system-3 00000001'
    expect(await signs(start(a))).toBe(true)
  })

  test('an instance that runs through a failover signs on, for the others as well', async () => {
    const [a, b] = [await machine('a'), await machine('b')]
    await signs(start(b))
    const running = start(a)
    expect(await signs(running)).toBe(true)
    server = 'system-1 00000002'
    expect(await signs(running)).toBe(true)
    expect(await signs(start(a))).toBe(true)
    // Restored to an earlier moment while no instance was running.
    server = 'system-1 00000003'
    expect(await signs(start(a))).toBe(false)
  })

  async function restoreAnother(): Promise<void> {
    for (const table of ['leaves', 'runs', 'tiles', 'progress', 'logs']) await run(`DELETE FROM transparency_${table}`)
    await run('UPDATE ledger_entries SET amount = amount + 1 WHERE seq = 1')
  }

  test('a fork keeps every checkpoint that contradicts the store, also one that is found later', async () => {
    const [a, b, c] = [await machine('a'), await machine('b'), await machine('c')]
    const published = async (one: Machine) => {
      const tree = start(one)
      await signs(tree)
      return tree.publisher.current()!.note
    }
    const [first, second, third] = [await published(a), await published(b), await published(c)]
    await restoreAnother()
    await signs(start(await machine('d')))
    for (const one of [b, a]) expect(await signs(start(one))).toBe(false)
    const fault = await transparencyFault(fresh.store, a.dataDir)
    expect(fault).toMatch(/checkpoints of \d+, \d+ leaves$/)
    const { differences } = await reconcile(fresh.store)
    expect(differences.filter(({ what }) => what === 'tree that was published')).toHaveLength(2)
    const fork = await fresh.store.write((tx) => forkLog(tx, { kept: null, reason: 'test', at: 1 }))
    expect(fork).toEqual({ before: 1, after: 2, checkpoints: [second, first] })
    const leaf = await fresh.store.read((tx) =>
      tx.get<{ body: string }>('SELECT body FROM transparency_leaves WHERE log_number = 2'),
    )
    expect(JSON.parse(leaf!.body)).toMatchObject({ previous: second, others: [first] })
    expect(await ended(1)).toBe(`${second}\n${first}`)
    const late = start(c)
    expect(await signs(late)).toBe(true)
    expect(late.refusals).toEqual([])
    expect(await ended(1)).toBe(`${third}\n${second}\n${first}`)
  })

  async function ended(number: number): Promise<string> {
    const { keys, publisher } = createTree({ engine: fresh.store, dataDir: fresh.database.dataDir })
    const routes = transparencyRoutes({ engine: fresh.store, keys, publisher, tiles: createTileCache() })
    const route = routes.find(({ operationId }) => operationId === 'transparency.fork')!
    const response = await route.handle({ params: { number: String(number) } } as unknown as Call)
    return String(response.body)
  }

  test('the store names its server, and the command of an operator ends the waiting', async () => {
    const identity = await fresh.store.read((tx) => keepersServer(tx, fresh.store.kind))
    const resume = () => runCommand(fresh.database, ['transparency', 'resume', '--reason', 'scrapped', '--json'])
    await run("INSERT INTO transparency_keepers (keeper_id, host, server, seen_at) VALUES ('k', 'b', 'before', 1)")
    const waitedFor = () => keepersNotChecked(fresh.store, fresh.database.dataDir)
    if (engine === 'sqlite') {
      // Only one instance can use the file.
      expect([identity, await waitedFor()]).toEqual([null, []])
    } else {
      expect(identity).toMatch(/^\d+ [0-9A-F]{8} \d+ \d+$/)
      expect(await waitedFor()).toEqual([{ host: 'b', seenAt: 1 }])
      expect(JSON.parse((await resume()).stdout)).toEqual({ waived: [{ host: 'b', seenAt: 1 }] })
      expect(await waitedFor()).toEqual([])
    }
    expect(JSON.parse((await resume()).stdout).error.code).toBe('RESUME_NOT_NEEDED')
  })
})
