import type { Writer } from '../../../../src/storage/engine.ts'

/** Ways to change the tree of a project's first entries in the store. */
export const tamperedTrees: [string, (tx: Writer) => Promise<unknown>][] = [
  ['a changed entry', (tx) => tx.run('UPDATE ledger_entries SET amount = amount + 1 WHERE seq = 2')],
  ['deleted leaves', (tx) => tx.run('DELETE FROM transparency_runs')],
  [
    'a changed salt',
    (tx) => tx.run("UPDATE transparency_runs SET salts = 'AAAAAAAAAAAAAAAAAAAAAA==' || substr(salts, 25)"),
  ],
  [
    'swapped salts',
    (tx) =>
      tx.run('UPDATE transparency_runs SET salts = substr(salts, 25, 24) || substr(salts, 1, 24) || substr(salts, 49)'),
  ],
  ['moved leaves', (tx) => tx.run('UPDATE transparency_runs SET first_index = first_index + 1')],
  ['a cut run', (tx) => tx.run('UPDATE transparency_runs SET to_seq = to_seq - 1, salts = substr(salts, 25)')],
  [
    'an inserted leaf',
    (tx) => tx.run("INSERT INTO transparency_leaves (log_number, leaf_index, salt, body) VALUES (1, 99, 'AAAA', '{}')"),
  ],
  ['a cut tile', (tx) => tx.run('UPDATE transparency_tiles SET hashes = substr(hashes, 1, 44) WHERE level = 0')],
  ['a smaller tree', (tx) => tx.run('UPDATE transparency_logs SET size = 2')],
]
