import type { Command, Result } from '../../ledger/commands.ts'
import { type Changes, decide } from '../../ledger/rules.ts'
import { endedByAge } from '../book-rows.ts'
import { addToDay, settledUsage } from '../usage-days.ts'
import type { Statements } from './connection.ts'
import { openBooks, putAside } from './open-books.ts'

/** One batch of the books inside the worker's transaction: load what it needs, ask the rules, save what they decided. */
export function applyBooks(db: Statements, commands: readonly Command[]): Result[] {
  const books = openBooks(db, commands)
  const { results, changes } = decide(books, commands)
  save(db, changes)
  putAside(db, books, commands)
  return results
}

function save(db: Statements, changes: Changes): void {
  for (const key of changes.keys) {
    db.put(
      'UPDATE api_keys SET window_ends_at = $2, window_used = $3, calls = $4, last_used_at = $5 WHERE key_id = $1',
      [key.keyId, key.windowEndsAt, key.windowUsed, key.calls, key.lastUsedAt],
    )
  }
  for (const balance of changes.balances) {
    db.put(
      `UPDATE balances SET available = $2, reserved = $3, settled = $4, credited = $5, entries = $6, last_entry_id = $7
      WHERE project_id = $1`,
      [
        balance.projectId,
        balance.available,
        balance.reserved,
        balance.settled,
        balance.credited,
        balance.entries,
        balance.lastEntryId,
      ],
    )
  }
  const { earlier, sameBatch } = endedByAge(changes)
  saveEnded(db, earlier)
  saveReserved(db, changes)
  saveEnded(db, sameBatch)
  saveCredited(db, changes)
  saveUsage(db, changes)
  for (const entry of changes.entries) {
    db.put(
      `INSERT INTO ledger_entries (entry_id, previous_id, project_id, seq, kind, amount, available, reserved, charge_id, lot_id,
        entered_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        entry.entryId,
        entry.previousId,
        entry.projectId,
        entry.seq,
        entry.kind,
        entry.amount,
        entry.available,
        entry.reserved,
        entry.chargeId,
        entry.lotId,
        entry.at,
      ],
    )
  }
}

function saveReserved(db: Statements, { reserved }: Changes): void {
  for (const charge of reserved) {
    db.put(
      `INSERT INTO charges (charge_id, project_id, key_id, operation, credits, pricing_version, state, idempotency_digest,
        fingerprint, isolation_version, leaves_process, instance_id, request_id, reserved_at)
      VALUES ($1, $2, $3, $4, $5, $6, 'reserved', $7, $8, $9, $10, $11, $12, $13)`,
      [
        charge.chargeId,
        charge.projectId,
        charge.keyId,
        charge.operation,
        charge.credits,
        charge.pricingVersion,
        charge.idempotencyDigest,
        charge.fingerprint,
        charge.isolationVersion,
        charge.leavesProcess ? 1 : 0,
        charge.instanceId,
        charge.requestId,
        charge.at,
      ],
    )
  }
}

function saveEnded(db: Statements, ended: Changes['ended']): void {
  for (const { command, charge } of ended) {
    db.put(
      'UPDATE charges SET state = $2, ended_at = $3, reason = COALESCE($4, reason), usage = $5 WHERE charge_id = $1',
      [charge.chargeId, charge.state, command.at, command.reason, command.usage],
    )
    // On its own: naming the column would take the charge out of its index and put it back, also when it stays as it is.
    if (charge.idempotencyDigest === null) {
      db.put('UPDATE charges SET idempotency_digest = NULL WHERE charge_id = $1', [charge.chargeId])
    }
    if (charge.response) {
      db.put(
        `INSERT INTO charge_results (charge_id, status, body, stored_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (charge_id) DO UPDATE SET status = excluded.status, body = excluded.body, stored_at = excluded.stored_at`,
        [charge.chargeId, charge.response.status, charge.response.body, command.at],
      )
    }
    if (command.decision) {
      db.put(
        'INSERT INTO review_decisions (charge_id, decision, reason, decided_by, decided_at) VALUES ($1, $2, $3, $4, $5)',
        [charge.chargeId, command.to, command.decision.reason, command.decision.by, command.at],
      )
    }
    for (const item of command.shown) {
      db.put(
        `INSERT INTO snapshots (project_id, provider, product_id, item, shown_at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (project_id, provider, product_id) DO UPDATE SET item = excluded.item, shown_at = excluded.shown_at`,
        [charge.projectId, item.itemRef.provider, item.itemRef.productId, JSON.stringify(item), command.at],
      )
    }
  }
}

function saveCredited(db: Statements, { credited }: Changes): void {
  for (const { command, order } of credited) {
    db.put("UPDATE orders SET state = 'credited', simulated_paid_at = $2, credited_at = $2 WHERE order_id = $1", [
      order.orderId,
      command.at,
    ])
    db.put(
      `INSERT INTO credit_lots (lot_id, project_id, order_id, kind, amount, created_at)
      VALUES ($1, $2, $3, 'simulated_prepaid', $4, $5)`,
      [command.lotId, order.projectId, order.orderId, order.creditAmount, command.at],
    )
  }
}

// Put together once: a new text for every row would have to be hashed and compared before its statement is found.
const insertUsage = `INSERT INTO usage_days (project_id, day, operation, calls, credits)
  VALUES ($1, $2, $3, $4, $5) ${addToDay}`

function saveUsage(db: Statements, changes: Changes): void {
  for (const { projectId, day, operation, calls, credits } of settledUsage(changes)) {
    db.put(insertUsage, [projectId, day, operation, calls, credits])
  }
}
