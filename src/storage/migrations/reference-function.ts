/**
 * What the triggers of a table ask on PostgreSQL: of a statement whether a row that it `added` is broken, of a row that
 * was changed whether `NEW` is. Both are conditions.
 */
export const referenceFunction = (child: string, isAddedBroken: string, isChangedBroken: string) =>
  `CREATE OR REPLACE FUNCTION ${child}_refer() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      is_broken boolean;
    BEGIN
      IF TG_LEVEL = 'STATEMENT' THEN
        is_broken := ${isAddedBroken};
      ELSE
        is_broken := ${isChangedBroken};
      END IF;
      IF is_broken THEN
        RAISE foreign_key_violation USING TABLE = '${child}',
          MESSAGE = 'a row of ${child} violates a foreign key: it refers to a row that is not there';
      END IF;
      RETURN NULL;
    END $$`
