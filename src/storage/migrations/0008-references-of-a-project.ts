import type { Migration } from './migration.ts'
import { referenceFunction } from './reference-function.ts'

/**
 * One row of a parent for each row that was added, looked up by itself (0005 says why), or nothing. Its project is hidden from
 * the planner, which might look through everything of the project instead.
 */
const parent = (name: string, found: string) =>
  `LEFT JOIN LATERAL (SELECT true AS there FROM ${found} LIMIT 1) ${name} ON true`

/**
 * What is added must belong to the project that its parent belongs to. That is more than a foreign key asks, and less work:
 * where the parent is there, so is its project. Rows that are changed by hand are judged as before, column by column.
 */
export const referencesOfAProject: Migration = {
  version: 8,
  name: 'references-of-a-project',
  statements: [],
  own: {
    postgres: [
      referenceFunction(
        'charges',
        `EXISTS (SELECT FROM added a ${parent('a_key', `api_keys p WHERE p.key_id = a.key_id AND p.project_id || '' = a.project_id`)}
          WHERE a_key.there IS NULL)`,
        `NOT EXISTS (SELECT FROM projects p WHERE p.project_id = NEW.project_id)
          OR NOT EXISTS (SELECT FROM api_keys p WHERE p.key_id = NEW.key_id)`,
      ),
      referenceFunction(
        'ledger_entries',
        `EXISTS (SELECT FROM added a ${parent('a_charge', `charges p WHERE p.charge_id = a.charge_id AND p.project_id || '' = a.project_id`)}
          WHERE CASE
            WHEN a.charge_id IS NOT NULL AND a_charge.there IS NULL THEN true
            WHEN a.lot_id IS NOT NULL
              THEN NOT EXISTS (SELECT FROM credit_lots p WHERE p.lot_id = a.lot_id AND p.project_id = a.project_id)
            WHEN a.charge_id IS NULL THEN NOT EXISTS (SELECT FROM projects p WHERE p.project_id = a.project_id)
            ELSE false END)`,
        `NOT EXISTS (SELECT FROM projects p WHERE p.project_id = NEW.project_id)
          OR (NEW.charge_id IS NOT NULL AND NOT EXISTS (SELECT FROM charges p WHERE p.charge_id = NEW.charge_id))
          OR (NEW.lot_id IS NOT NULL AND NOT EXISTS (SELECT FROM credit_lots p WHERE p.lot_id = NEW.lot_id))`,
      ),
    ],
  },
}
