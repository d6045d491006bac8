import type { Migration } from './migration.ts'

/** Lets a batch on PostgreSQL go on only when the rows it took for granted are still as it knew them. */
export const sureGuesses: Migration = {
  version: 7,
  name: 'sure-guesses',
  statements: [],
  own: {
    postgres: [
      `CREATE FUNCTION refuse_stale(unchanged bigint, wanted bigint) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
          IF unchanged <> wanted THEN
            RAISE EXCEPTION USING ERRCODE = 'GW001', MESSAGE = format('%s of %s rows are as they were', unchanged, wanted);
          END IF;
        END $$`,
    ],
  },
}
