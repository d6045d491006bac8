import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ArchiveDirectory } from '../../src/archives/archive-directory.ts'
import type { ArchiverDeps } from '../../src/archives/archiver.ts'
import type { ArchiveStore } from '../../src/archives/ports.ts'
import { runCommand } from '../operator/run-command.ts'
import { engines } from '../support/store/engines.ts'
import type { Customer } from '../support/store/rig.ts'
import { type ArchiveRig, openArchiveRig } from './archive-rig.ts'
import { dayMs } from './history.ts'

class Killed extends Error {}

interface Broken {
  readonly store?: ArchiveStore
  readonly directory?: ArchiveDirectory
}

const die = async (): Promise<never> => {
  throw new Killed()
}

describe.each(engines)('archives on %s that are interrupted or damaged', (engine) => {
  let rig: ArchiveRig
  let customer: Customer
  /** Six calls of one customer, 50 days old. */
  beforeEach(async () => {
    rig = await openArchiveRig(engine, 1)
    await rig.history.addCustomers(1)
    customer = rig.history.customers[0]!
    for (let call = 0; call < 6; call += 1) await rig.history.settledCall(customer)
    rig.history.now += 50 * dayMs
    return () => rig.remove()
  })

  const interruptions: [string, (real: ArchiveRig) => Broken][] = [
    ['before the file is written', (real) => ({ directory: { ...real.directory(), append: die } })],
    ['after the file is written, before the commit', (real) => ({ store: { ...real.archiveStore, commit: die } })],
    [
      'after the commit, before it is known',
      (real) => ({
        store: {
          ...real.archiveStore,
          commit: async (page, claim) => {
            await real.archiveStore.commit(page, claim)
            throw new Killed()
          },
        },
      }),
    ],
  ]

  it.each(interruptions)('a program that dies %s loses no row and leaves none twice', async (_when, broken) => {
    const before = await rig.statement(customer.projectId)
    await expect(rig.archive(afterOnePage(rig, broken(rig)))).rejects.toBeInstanceOf(Killed)
    expect(await rig.statement(customer.projectId)).toEqual(before)
    expect((await rig.reconcile()).differences).toEqual([])
    // The claim of the dead program runs out.
    expect((await rig.archive()).refusal).toBe('busy')
    rig.history.now += 61_000
    expect((await rig.archive()).refusal).toBe(null)
    expect(await rig.statement(customer.projectId)).toEqual(before)
    expect(await rig.reconcile()).toMatchObject({ differences: [], archives: { missing: [], entries: 12 } })
  })

  it('a file that was changed is found and not read', async () => {
    await rig.archive()
    const [file] = await rig.archiveStore.files()
    const path = join(rig.path, file!.fileName)
    const content = await readFile(path)
    content[40]! ^= 1
    await writeFile(path, content)
    expect((await rig.reconcile()).differences).toMatchObject([
      { invariant: 'I6', at: file!.fileName, found: 'another' },
    ])
    await expect(rig.statement(customer.projectId)).rejects.toThrow(
      `${file!.fileName} in ${rig.path} is not as it was recorded`,
    )
  })

  it('a file that is missing is named; the books are proven from the closing balance on', async () => {
    await rig.archive()
    const [file] = await rig.archiveStore.files()
    await rm(join(rig.path, file!.fileName))
    expect(await rig.reconcile()).toMatchObject({
      differences: [],
      archives: { missing: [file!.fileName], entries: 0 },
    })
    await expect(rig.statement(customer.projectId)).rejects.toThrow(
      `the archive file ${file!.fileName} is not in ${rig.path}; host-a wrote it`,
    )
    // A statement of a time that it has no entries of does not need it.
    expect(await rig.statement(customer.projectId, { from: rig.history.now - dayMs })).toEqual([])
  })

  it('a machine without the last part of a month begins a new one', async () => {
    const before = await rig.statement(customer.projectId)
    const first = rig.archive({ pageEntries: 4, store: { ...rig.archiveStore, candidates: once(rig) } })
    expect((await first).entries).toBe(4)
    const [file] = await rig.archiveStore.files()
    const path = join(rig.path, file!.fileName)
    const content = await readFile(path)
    await rm(path)
    const notHere: string[] = []
    await rig.archive({ host: 'host-b', onNewPart: ({ fileName }) => notHere.push(fileName) })
    expect(notHere).toEqual([file!.fileName])
    const files = await rig.archiveStore.files()
    expect(files.map(({ fileName, host }) => [fileName, host])).toEqual([
      [file!.fileName, 'host-a'],
      [file!.fileName.replace('.jsonl', '.part-2.jsonl'), 'host-b'],
    ])
    // Collected in one directory, they are one archive.
    await writeFile(path, content)
    expect(await rig.statement(customer.projectId)).toEqual(before)
    expect((await rig.reconcile()).differences).toEqual([])
  })

  it('a closing balance that was changed is found', async () => {
    await rig.archive()
    await rig.store.write((tx) =>
      tx.run('UPDATE closing_balances SET available = available + 1, credited = credited + 1 WHERE project_id = $1', [
        customer.projectId,
      ]),
    )
    const { differences } = await rig.reconcile()
    expect(new Set(differences.map(({ at }) => at))).toEqual(new Set(['balance', 'entry 13', 'closing balance']))
  })

  it('an open review holds up its ledger, and its decision lets it go on', async () => {
    rig.history.now -= 45 * dayMs
    await rig.history.reviewedCall(customer)
    await rig.history.settledCall(customer)
    rig.history.now += 45 * dayMs
    expect(await rig.archive()).toMatchObject({
      entries: 13,
      heldUp: [{ projectId: customer.projectId, because: 'open charge', seq: 14 }],
    })
    expect(await rig.rows('reviewable_charges')).toBe(1)
    expect((await rig.reconcile()).differences).toEqual([])
  })

  it('a file without a record is kept under another name', async () => {
    await rig.archive()
    const [file] = await rig.archiveStore.files()
    await rig.store.write((tx) => tx.run('DELETE FROM archive_files'))
    await rig.directory().append(file!.fileName, null, [])
    expect((await readdir(rig.path)).sort()).toEqual([file!.fileName, `${file!.fileName}.unrecorded-1`])
  })

  it('the command says what it would move, moves it, and says when nothing is to be archived', async () => {
    const config = join(rig.database.dataDir, 'gateway.json')
    await writeFile(config, JSON.stringify({ charges: { retentionDays: 35 } }))
    const run = (...argv: string[]) =>
      runCommand(rig.database, argv, { environment: { GATEWAY_CONFIG: config }, clock: () => rig.history.now })
    const moved = '5 charges and 12 ledger entries of 1 projects'
    expect(await run('archive', '--dry-run')).toMatchObject({ exitCode: 0, stdout: `Would move ${moved}.\n` })
    expect(await rig.rows('ledger_entries')).toBe(13)
    expect(await run('archive')).toMatchObject({ exitCode: 0, stdout: `Moved ${moved} to archive files.\n` })
    expect(await rig.rows('ledger_entries')).toBe(1)
    expect((await run('reconcile')).stdout).toContain('1 archive files, 12 archived entries.')
    expect((await run('restore-check')).stdout).toContain('No ledger has a gap.')
    expect((await run('statement', customer.projectId, '--csv')).stdout.trim().split('\r\n')).toHaveLength(14)
    expect(await runCommand(rig.database, ['archive'])).toMatchObject({
      exitCode: 2,
      stderr: 'charges.retentionDays is not set, so nothing is ever archived\n',
    })
  })

  it('an Idempotency-Key that was archived is a new one', async () => {
    const call = () => rig.history.settledCall(customer, { idempotencyDigest: 'the same' })
    await call()
    await expect(call()).rejects.toThrow('not reserved but replay')
    await rig.history.settledCall(customer)
    rig.history.now += 50 * dayMs
    await rig.archive()
    await call()
    expect((await rig.reconcile()).differences).toEqual([])
  })
})

/** The first page is committed, so that the second meets a file with content. */
function afterOnePage(rig: ArchiveRig, { store, directory }: Broken): Partial<ArchiverDeps> {
  const whole = { store: rig.archiveStore, directory: rig.directory() }
  let pages = 0
  return {
    holder: 'dead',
    pageEntries: 4,
    store: {
      ...whole.store,
      commit: async (...args) => {
        pages += 1
        return (pages === 1 ? whole.store : (store ?? whole.store)).commit(...args)
      },
      // A program that dies does not give up its claim.
      unclaim: async () => {},
    },
    directory: {
      ...whole.directory,
      append: (...args) => (pages === 0 ? whole.directory : (directory ?? whole.directory)).append(...args),
    },
  }
}

/** Stops the walk after the first page: the second look finds no project. */
function once({ archiveStore }: ArchiveRig): ArchiveStore['candidates'] {
  return async (...args) => (await archiveStore.candidates(...args)).slice(0, 1).map((row) => ({ ...row, lastSeq: 5 }))
}
