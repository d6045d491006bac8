export type ColumnType = 'text' | 'bigint' | 'int'

/**
 * The rows that a batch of the books sends to the server, each of a type of its own with the columns in this order;
 * `migrations/0009-row-types.ts` makes them there. One that has to change becomes a new type under a new name.
 */
export const rowTypes = {
  balance_written: {
    project_id: 'text',
    available: 'bigint',
    reserved: 'bigint',
    settled: 'bigint',
    credited: 'bigint',
    entries: 'bigint',
    last_entry_id: 'bigint',
    entries_before: 'bigint',
  },
  key_written: {
    key_id: 'text',
    window_ends_at: 'bigint',
    window_used: 'int',
    calls: 'bigint',
    last_used_at: 'bigint',
    ends_before: 'bigint',
    used_before: 'int',
    calls_before: 'bigint',
    revoked_at: 'bigint',
    expires_at: 'bigint',
  },
  charge_reserved: {
    charge_id: 'text',
    project_id: 'text',
    key_id: 'text',
    operation: 'text',
    credits: 'bigint',
    pricing_version: 'text',
    state: 'text',
    idempotency_digest: 'text',
    fingerprint: 'text',
    isolation_version: 'int',
    leaves_process: 'int',
    instance_id: 'text',
    request_id: 'text',
    reserved_at: 'bigint',
  },
  charge_ended: {
    charge_id: 'text',
    state: 'text',
    ended_at: 'bigint',
    reason: 'text',
    usage: 'text',
    idempotency_digest: 'text',
  },
  result_stored: { charge_id: 'text', status: 'int', body: 'text', stored_at: 'bigint' },
  decision_made: { charge_id: 'text', decision: 'text', reason: 'text', decided_by: 'text', decided_at: 'bigint' },
  item_shown: { project_id: 'text', provider: 'text', product_id: 'text', item: 'text', shown_at: 'bigint' },
  usage_settled: { project_id: 'text', day: 'int', operation: 'text', calls: 'bigint', credits: 'bigint' },
  order_credited: { order_id: 'text', credited_at: 'bigint' },
  lot_added: {
    lot_id: 'text',
    project_id: 'text',
    order_id: 'text',
    kind: 'text',
    amount: 'bigint',
    created_at: 'bigint',
  },
  entry_made: {
    entry_id: 'bigint',
    previous_id: 'bigint',
    project_id: 'text',
    seq: 'bigint',
    kind: 'text',
    amount: 'bigint',
    available: 'bigint',
    reserved: 'bigint',
    charge_id: 'text',
    lot_id: 'text',
    entered_at: 'bigint',
  },
} as const satisfies Record<string, Record<string, ColumnType>>

export type RowTypeName = keyof typeof rowTypes

export const columnsOf = (type: RowTypeName): string => Object.keys(rowTypes[type]).join(', ')
