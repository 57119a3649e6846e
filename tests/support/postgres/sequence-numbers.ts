import type { SQL } from 'bun';

/**
 * Makes a database number its events by a PostgreSQL sequence instead of the row in `log_head`. Numbers
 * of one transaction are reserved together, and no lock is kept until the commit. So transactions may commit in another
 * order than that of their numbers, which is why the service does not use a sequence.
 */
export const numberBySequence = async (sql: SQL): Promise<void> => {
  await sql.unsafe(`
    DROP TABLE log_head;
    CREATE SEQUENCE log_numbers MINVALUE 0;
    SELECT setval('log_numbers', 0);
    CREATE VIEW log_head AS SELECT
      1 AS id,
      coalesce(nullif(current_setting('log.head', true), '')::bigint, (SELECT last_value FROM log_numbers)) AS sequence;
    CREATE FUNCTION reserve_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      count bigint := new.sequence - old.sequence;
    BEGIN
      IF count = 0 THEN RETURN new; END IF;
      PERFORM pg_advisory_lock(0);
      new.sequence := nextval('log_numbers') + count - 1;
      PERFORM setval('log_numbers', new.sequence);
      PERFORM pg_advisory_unlock(0);
      -- Until its end the transaction sees the head that it has moved, as with a row.
      PERFORM set_config('log.head', new.sequence::text, true);
      RETURN new;
    END $$;
    CREATE TRIGGER reserve_numbers INSTEAD OF UPDATE ON log_head FOR EACH ROW EXECUTE FUNCTION reserve_numbers();
  `);
};
