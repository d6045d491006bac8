import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { chainEntry } from '../../../../src/ledger/audit.ts'
import type { Actor } from '../../../../src/operator-kit/actor.ts'
import type { Writer } from '../../../../src/storage/engine.ts'
import { runCommand } from '../../../../testkit/gateway/run-command.ts'
import { createTestAdministration } from '../../../../testkit/store/administration.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { createCustomer, createRig } from '../../../../testkit/store/rig.ts'
import { writeGoodHistory } from './good-history.ts'

const dropTriggers = {
  sqlite: ['DROP TRIGGER IF EXISTS refuse_audit_update', 'DROP TRIGGER IF EXISTS refuse_audit_delete'],
  postgres: ['ALTER TABLE audit_entries DISABLE TRIGGER refuse_change'],
}

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
    by: 'unknown',
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
  const triggers = dropTriggers[engine]

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

  test('the audit log is intact as it is written', async () => {
    expect(await runCommand(fresh.database, ['audit', 'verify'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^The audit log is intact: 4 entries, the last is 4:[0-9a-f]{64}\. Note it down elsewhere; --contains checks it\.\n$/,
      ),
    })
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test.each(['UPDATE audit_entries SET reason = reason', 'DELETE FROM audit_entries'])(
    'the audit log refuses %s',
    async (sql) => {
      await expect(fresh.store.write((tx) => tx.run(sql))).rejects.toThrow(/audit entries are never/)
    },
  )

  test.each(tamperings)('the audit log shows %s', async (_name, what, tamper) => {
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

/** Removes the entries from `seq` on, as an attacker would who knows how the chain is checked. */
async function cutOff(tx: Writer, seq: number): Promise<void> {
  await tx.run('DELETE FROM audit_entries WHERE seq >= $1', [seq])
  const last = await tx.get<{ hash: string }>('SELECT entry_hash AS hash FROM audit_entries WHERE seq = $1', [seq - 1])
  await tx.run('UPDATE audit_head SET entries = $1, last_hash = $2', [seq - 1, last?.hash ?? ''])
}

describe.each(engines)('the end of the audit log on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let entries: { seq: number; action: string; object: string; hash: string }[]
  const actions = [
    'review.settle',
    'review.release',
    'credits.grant',
    'credits.withdraw',
    'credits.grant.request',
    'credits.grant.approve',
    'credits.withdraw.request',
    'credits.withdraw.reject',
    'account.suspend',
    'provider.take_out',
    'operator.add',
    'operator.disable',
  ]

  beforeAll(async () => {
    fresh = await freshStore(engine)
    const { rig, customer } = await writeGoodHistory(fresh.store)
    const { projectId } = customer
    let now = rig.clock()
    const clock = () => {
      now += 1
      return now
    }
    const operate = createTestAdministration(rig, { approvalAboveCredits: 1000, clock })
    const ada = { name: 'Ada', via: 'command line' } as const
    const reason = 'asked for it'
    const move = (kind: 'grant' | 'withdraw', credits: number) =>
      operate.moveCredits(ada, { kind, projectId, credits, reference: `${kind} "${credits}"`, reason })
    await move('grant', 30)
    await move('withdraw', 20)
    const granted = (await move('grant', 3000)) as { approval: { id: string } }
    await operate.approve({ ...ada, name: 'Bea' }, { approvalId: granted.approval.id })
    const withdrawn = (await move('withdraw', 2000)) as { approval: { id: string } }
    await operate.reject({ ...ada, name: 'Bea' }, { approvalId: withdrawn.approval.id })
    await operate.suspendAccount(ada, { accountId: `account of ${projectId}`, reason })
    await operate.switchProvider(ada, { provider: 'model/model_provider_a', isOut: true, reason })
    await operate.addOperator(ada, { name: 'cem', role: 'viewer', reason })
    await operate.disableOperator(ada, { name: 'cem', reason })
    entries = await fresh.store.read((tx) =>
      tx.all('SELECT seq, action, object, entry_hash AS hash FROM audit_entries ORDER BY seq'),
    )
  })
  afterAll(() => fresh.remove())

  async function tampered<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    const undo = new Error('undo')
    let result: T | undefined
    const attempt = fresh.store.write(async (tx) => {
      for (const sql of dropTriggers[engine]) await tx.run(sql)
      result = await work(tx)
      throw undo
    })
    await expect(attempt).rejects.toBe(undo)
    return result!
  }

  test('the end of the audit log has an entry for everything that operators did', async () => {
    expect(entries.map(({ action }) => action)).toEqual(actions)
    expect((await reconcile(fresh.store)).differences).toEqual([])
    expect((await runCommand(fresh.database, ['audit', 'verify'])).exitCode).toBe(0)
  })

  test.each(actions)('the end of the audit log is missed from %s on, although the chain is whole', async (action) => {
    const { seq } = entries.find((entry) => entry.action === action)!
    const { differences } = await tampered(async (tx) => {
      await cutOff(tx, seq)
      return reconcile({ read: (work) => work(tx) })
    })
    expect(differences.every(({ invariant }) => invariant === 'I7')).toBe(true)
    // Without the last entry about an operator, the one before says another state.
    const missed = differences.filter(({ what }) => what !== 'state')
    expect(missed.map(({ what }) => what).sort()).toEqual(
      actions
        .slice(seq - 1)
        .map((missing) => `entry ${missing}`)
        .sort(),
    )
  })

  test.each([
    ['another amount', 'UPDATE operator_movements SET amount = 29 WHERE amount = 30'],
    ['another reference', "UPDATE operator_movements SET reference = 'x' WHERE amount = 30"],
  ])('the end of the audit log does not cover a grant with %s', async (_what, sql) => {
    const { differences } = await tampered(async (tx) => {
      await tx.run(sql)
      return reconcile({ read: (work) => work(tx) })
    })
    expect(differences).toContainEqual(expect.objectContaining({ invariant: 'I7', what: 'entry credits.grant' }))
  })

  test('the end of the audit log misses a grant whose rows were removed while its entry was kept', async () => {
    const { differences } = await tampered(async (tx) => {
      await tx.run('DELETE FROM operator_movements WHERE amount = 30')
      return reconcile({ read: (work) => work(tx) })
    })
    expect(differences).toContainEqual(
      expect.objectContaining({ invariant: 'I7', what: 'number of grants and withdrawals', expected: 3, found: 2 }),
    )
  })

  test('the end of the audit log that was noted down elsewhere shows a cut that took the effects too', async () => {
    const last = entries.at(-1)!
    const verify = (...noted: string[]) =>
      runCommand(fresh.database, ['audit', 'verify', '--json', ...noted.flatMap((one) => ['--contains', one])])
    const all = entries.map(({ seq, hash }) => `${seq}:${hash}`)
    expect(await verify(...all)).toMatchObject({ exitCode: 0 })
    const forged = `${last.seq}:${'0'.repeat(64)}`
    const wrong = await verify(all[0]!, forged)
    expect(wrong.exitCode).toBe(1)
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      isSound: false,
      faults: [
        { at: `audit entry ${last.seq}`, what: 'hash that was noted down', expected: '0'.repeat(64), found: last.hash },
      ],
    })
    for (const misuse of ['4', `x:${last.hash}`, `4:${last.hash}0`, '0:']) {
      expect((await verify(misuse)).exitCode).toBe(2)
    }

    await fresh.store.write(async (tx) => {
      for (const sql of dropTriggers[engine]) await tx.run(sql)
      await cutOff(tx, last.seq - 1)
      await tx.run("DELETE FROM operators WHERE name = 'cem'")
    })
    expect((await reconcile(fresh.store)).isSound).toBe(true)
    expect((await verify()).exitCode).toBe(0)
    expect((await verify(all.at(-3)!)).exitCode).toBe(0)
    const cut = await verify(all.at(-1)!)
    expect(cut.exitCode).toBe(1)
    expect(JSON.parse(cut.stdout).faults).toMatchObject([{ expected: last.hash, found: 'none' }])
  })
})

describe.each(engines)('the operators on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  beforeAll(async () => {
    fresh = await freshStore(engine)
    const rig = createRig(fresh.store)
    let now = rig.clock()
    const clock = () => {
      now += 1
      return now
    }
    const operate = createTestAdministration(rig, { approvalAboveCredits: 1000, clock })
    const ada = { name: 'Ada', via: 'command line' } as const
    const reason = 'asked for it'
    const add = (name: string, via: Actor['via']) =>
      operate.addOperator({ ...ada, via }, { name, role: 'treasurer', reason })
    for (const name of ['active', 'disabled', 'restored']) await add(name, 'command line')
    for (const name of ['pending', 'approved', 'rejected']) await add(name, 'web')
    await operate.disableOperator(ada, { name: 'disabled', reason })
    await operate.disableOperator(ada, { name: 'restored', reason })
    await operate.resetOperator(ada, { name: 'restored', reason })
    await operate.approveOperator({ ...ada, name: 'Bea' }, { name: 'approved', reason })
    await operate.rejectOperator({ ...ada, name: 'Bea' }, { name: 'rejected', reason })
  })
  afterAll(() => fresh.remove())

  test('operators as they were written have the role and state of the audit log', async () => {
    const rows = await fresh.store.read((tx) => tx.all('SELECT name FROM operators'))
    expect(rows).toHaveLength(6)
    expect((await reconcile(fresh.store)).differences).toEqual([])
  })

  test.each([
    [
      'a promotion',
      "UPDATE operators SET role = 'admin' WHERE name = 'active'",
      'active',
      'role',
      'treasurer',
      'admin',
    ],
    [
      'an approval',
      "UPDATE operators SET awaits_approval = 0 WHERE name = 'pending'",
      'pending',
      'state',
      'pending',
      'active',
    ],
    [
      'an enabling',
      "UPDATE operators SET disabled_at = NULL WHERE name = 'disabled'",
      'disabled',
      'state',
      'disabled',
      'active',
    ],
    [
      'a disabling',
      "UPDATE operators SET disabled_at = 1 WHERE name = 'approved'",
      'approved',
      'state',
      'active',
      'disabled',
    ],
  ])('%s behind the back of the audit log is found', async (_, sql, name, what, expected, found) => {
    const undo = new Error('undo')
    const work = fresh.store.write(async (tx) => {
      await tx.run(sql)
      const { differences } = await reconcile({ read: (work) => work(tx) })
      expect(differences).toContainEqual({
        ...{ invariant: 'I7', projectId: 'none', at: `operator ${name}`, what, expected, found },
      })
      throw undo
    })
    await expect(work).rejects.toBe(undo)
  })
})
