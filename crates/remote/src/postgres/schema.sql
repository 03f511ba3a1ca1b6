-- The tables of memtape. Versions only add to them, so that an older program goes on beside a newer one.

CREATE SCHEMA IF NOT EXISTS memtape;

-- The version of these tables, and the oldest program that can use them.
CREATE TABLE IF NOT EXISTS memtape.versions (
    version      integer PRIMARY KEY,
    oldest       integer NOT NULL,
    installed_at timestamptz NOT NULL DEFAULT now()
);

-- One row for each tape, with its last entry. An append updates it, so that appends have one order.
CREATE TABLE IF NOT EXISTS memtape.tapes (
    workspace  text COLLATE "C" PRIMARY KEY,
    head_id    bigint NOT NULL DEFAULT 0,
    head_hash  text COLLATE "C" NOT NULL DEFAULT repeat('0', 64),
    bytes      bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- Whether the push that created a tape has not ended: until then, only that push uses it.
ALTER TABLE memtape.tapes ADD COLUMN IF NOT EXISTS is_incomplete boolean NOT NULL DEFAULT false;

-- The lines of the tapes. The workspace leads the key, so that a cluster can distribute by it.
CREATE TABLE IF NOT EXISTS memtape.entries (
    workspace text COLLATE "C" NOT NULL,
    id        bigint NOT NULL,
    line      text NOT NULL,
    PRIMARY KEY (workspace, id)
) PARTITION BY HASH (workspace);

DO $$
BEGIN
    FOR n IN 0..15 LOOP
        EXECUTE format(
            'CREATE TABLE IF NOT EXISTS memtape.entries_%s PARTITION OF memtape.entries
             FOR VALUES WITH (MODULUS 16, REMAINDER %s)', n, n);
    END LOOP;
END $$;

-- Moves the head of a tape, if it is the expected one, and inserts the lines after it. Returns whether it was. As a
-- function, its statements are planned once for each connection.
CREATE OR REPLACE FUNCTION memtape.append(
    tape text, after_id bigint, after_hash text, last_id bigint, last_hash text, ids bigint[], lines text[], size bigint
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE memtape.tapes SET head_id = last_id, head_hash = last_hash, bytes = bytes + size, updated_at = now()
    WHERE workspace = tape AND head_id = after_id AND head_hash = after_hash;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO memtape.entries (workspace, id, line)
    SELECT tape, new.id, new.line FROM unnest(ids, lines) AS new (id, line);
    RETURN true;
END $$;

-- The roles: a service reaches every tape, a tenant those whose names begin with its own name and a slash.
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['memtape_service', 'memtape_tenant'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', name);
        END IF;
    END LOOP;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'the roles memtape_service and memtape_tenant are left out: creating roles is not permitted';
END $$;

ALTER TABLE memtape.tapes ENABLE ROW LEVEL SECURITY;
ALTER TABLE memtape.entries ENABLE ROW LEVEL SECURITY;

DO $$
DECLARE target text;
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'memtape_tenant') THEN
        GRANT USAGE ON SCHEMA memtape TO memtape_service, memtape_tenant;
        GRANT SELECT ON memtape.versions TO memtape_service, memtape_tenant;
        FOREACH target IN ARRAY ARRAY['tapes', 'entries'] LOOP
            EXECUTE format('GRANT SELECT, INSERT, UPDATE ON memtape.%I TO memtape_service, memtape_tenant', target);
            EXECUTE format('DROP POLICY IF EXISTS service ON memtape.%I', target);
            EXECUTE format('CREATE POLICY service ON memtape.%I TO memtape_service USING (true)', target);
            EXECUTE format('DROP POLICY IF EXISTS tenant ON memtape.%I', target);
            EXECUTE format(
                'CREATE POLICY tenant ON memtape.%I TO memtape_tenant
                 USING (starts_with(workspace, current_user || ''/''))', target);
        END LOOP;
    END IF;
END $$;

INSERT INTO memtape.versions (version, oldest) VALUES (2, 1) ON CONFLICT DO NOTHING;
