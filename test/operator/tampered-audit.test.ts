import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainEntry } from '../../src/audit/chain.ts'
import { reconcile } from '../../src/operator/reconcile.ts'
import type { Writer } from '../../src/storage/engine.ts'
import { createTestAdministration } from '../support/store/administration.ts'
import { engines, freshStore } from '../support/store/engines.ts'
import { createCustomer, createRig } from '../support/store/rig.ts'
import { runCommand } from './run-command.ts'

type Tamper = (tx: Writer) => Promise<unknown>

/** Each with a part of what is found. */
const tamperings: [string, string, Tamper][] = [
  [
    'a changed reason',
    'hash of its content',
    (tx) => tx.run("UPDATE audit_entries SET reason = 'other' WHERE seq = 2"),
  ],
  [
    'a changed amount',
    'hash of its content',
    (tx) => tx.run("UPDATE audit_entries SET state_after = '{}' WHERE seq = 2"),
  ],
  ['a removed entry', 'number of the entry', (tx) => tx.run('DELETE FROM audit_entries WHERE seq = 2')],
  ['the last entries removed', 'number of entries', (tx) => tx.run('DELETE FROM audit_entries WHERE seq >= 3')],
  ['an inserted entry', 'number of entries', (tx) => insertAtEnd(tx)],
  [
    'an entry replaced by one with a right hash',
    'hash of the entry before it',
    async (tx) => {
      const second = (await tx.get<Record<string, string>>('SELECT * FROM audit_entries WHERE seq = 2'))!
      const forged = forge({ entries: 1, hash: second.previous_hash! })
      await tx.run('UPDATE audit_entries SET reason = $1, audit_id = $2, entry_hash = $3 WHERE seq = 2', [
        forged.reason,
        forged.auditId,
        forged.hash,
      ])
    },
  ],
  [
    'two entries that changed places',
    'hash of the entry before it',
    async (tx) => {
      await tx.run('UPDATE audit_entries SET seq = 99 WHERE seq = 2')
      await tx.run('UPDATE audit_entries SET seq = 2 WHERE seq = 3')
      await tx.run('UPDATE audit_entries SET seq = 3 WHERE seq = 99')
    },
  ],
  ['a changed end', 'hash of the last entry', (tx) => tx.run("UPDATE audit_head SET last_hash = 'x'")],
  ['no end', 'record of the end', (tx) => tx.run('DELETE FROM audit_head')],
  ['everything removed', 'number of entries', (tx) => tx.run('DELETE FROM audit_entries')],
]

const forge = (head: { entries: number; hash: string }) =>
  chainEntry(head, {
    auditId: 'aud_forged',
    by: 'nobody',
    via: 'web',
    action: 'account.suspend',
    object: 'acc',
    reason: 'forged',
    at: 1,
    before: null,
    after: null,
  })

async function insertAtEnd(tx: Writer): Promise<void> {
  const head = (await tx.get<{ entries: number; hash: string }>('SELECT entries, last_hash AS hash FROM audit_head'))!
  const entry = forge(head)
  await tx.run(
    `INSERT INTO audit_entries (seq, audit_id, acted_at, acted_by, via, action, object, reason, previous_hash, entry_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[entry.seq, entry.auditId, entry.at, entry.by, entry.via, entry.action, entry.object, entry.reason],
      ...[entry.previousHash, entry.hash],
    ],
  )
}

describe.each(engines)('the audit log on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  const triggers =
    engine === 'sqlite'
      ? ['DROP TRIGGER refuse_audit_update', 'DROP TRIGGER refuse_audit_delete']
      : ['ALTER TABLE audit_entries DISABLE TRIGGER refuse_change']

  beforeAll(async () => {
    fresh = await freshStore(engine)
    const rig = createRig(fresh.store)
    const { projectId } = await createCustomer(rig)
    const operate = createTestAdministration(rig)
    const actor = { name: 'Ada', via: 'web' } as const
    for (const [index, credits] of [10, 20, 30].entries()) {
      await operate.moveCredits(actor, {
        kind: 'grant',
        projectId,
        credits,
        reference: `bank ${index}`,
        reason: 'paid',
      })
    }
    await operate.suspendAccount(actor, { accountId: `account of ${projectId}`, reason: 'asked for it' })
  })
  afterAll(() => fresh.remove())

  const verify = (tx: Writer) => reconcile({ read: (work) => work(tx) })

  test('is intact as it is written', async () => {
    expect(await runCommand(fresh.database, ['audit', 'verify'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^The audit log is intact: 4 entries, last hash [0-9a-f]{64}\.\n$/),
    })
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test.each(['UPDATE audit_entries SET reason = reason', 'DELETE FROM audit_entries'])('refuses %s', async (sql) => {
    await expect(fresh.store.write((tx) => tx.run(sql))).rejects.toThrow(/audit entries are never/)
  })

  test.each(tamperings)('shows %s', async (_name, what, tamper) => {
    const undo = new Error('undo')
    const work = fresh.store.write(async (tx) => {
      for (const sql of triggers) await tx.run(sql)
      await tamper(tx)
      const { differences } = await verify(tx)
      expect(differences.every(({ invariant }) => invariant === 'I7')).toBe(true)
      expect(differences.map((difference) => difference.what)).toContain(what)
      throw undo
    })
    await expect(work).rejects.toBe(undo)
  })

  test('audit verify and reconcile exit with 1 and say what differs', async () => {
    await fresh.store.write(async (tx) => {
      for (const sql of triggers) await tx.run(sql)
      await tx.run("UPDATE audit_entries SET acted_by = 'somebody else' WHERE seq = 1")
    })
    const verified = await runCommand(fresh.database, ['audit', 'verify', '--json'])
    expect(verified.exitCode).toBe(1)
    expect(JSON.parse(verified.stdout)).toMatchObject({ isSound: false, faults: [{ at: 'audit entry 1' }] })
    const reconciled = await runCommand(fresh.database, ['reconcile'])
    expect(reconciled).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('I7') })
  })
})
