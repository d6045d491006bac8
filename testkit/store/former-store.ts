import type { Store } from './engines.ts'

/** The steps of a store from before 0.2.0, and what each of the last two added beyond today's names. */
const formerSteps = [
  'baseline',
  'account-recovery',
  'operators',
  'media-jobs',
  'key-budgets',
  'events',
  'webhooks',
  'alerts',
  'instance-versions',
  'archives',
]

/**
 * Turns a store into one from before 0.2.0. Version 10 differs from today's baseline only in its records: the baseline was folded
 * from it. Version 8 lacks what steps 9 and 10 added.
 */
export const makeFormer = (store: Store, version: 8 | 10): Promise<void> =>
  store.write(async (tx) => {
    await tx.run('DELETE FROM schema_migrations')
    for (let step = 1; step <= version; step += 1) {
      await tx.run('INSERT INTO schema_migrations VALUES ($1, $2, 1, $3, $1)', [
        ...[step, formerSteps[step - 1]!, 'applied'],
      ])
    }
    if (version === 10) return
    for (const table of ['archive_claim', 'archived_spending', 'archive_files', 'closing_balances']) {
      await tx.run(`DROP TABLE ${table}`)
    }
    for (const column of ['known_version', 'needed_version', 'process']) {
      await tx.run(`ALTER TABLE instances DROP COLUMN ${column}`)
    }
    await tx.run('ALTER TABLE schema_migrations DROP COLUMN compatible_from')
  })
