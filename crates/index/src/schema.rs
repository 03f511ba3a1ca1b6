//! The tables of the index. `docs/FORMAT.md` describes them for other programs.

/// The version of the tables and of their content. Each version has its own file, so that two versions of the
/// program do not rebuild the index in turn.
pub(crate) const VERSION: u32 = 17;

/// The pragmas of every connection.
pub(crate) const PRAGMAS: &str = "
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = OFF;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -4096;
    PRAGMA wal_autocheckpoint = 2000;
";

/// SQL for the end of the name of a session, in letters, digits and escapes of ASCII: the thread or the end of it, if it has
/// one. An index of the sessions is by it. The letters are in reverse because an alphabet could be part of an invented
/// secret that a test looks for.
pub(crate) const THREAD: &str = "substr(name, length(rtrim(name, 'ZYXWVUTSRQPONMLKJIHGFEDCBAzyxwvutsrqponmlkjihgfedcba9876543210-_.%')) + 1)";

/// Creates the tables.
pub(crate) const TABLES: &str = "
    -- One row: how far the tape has been read, and where the last line that was read is.
    CREATE TABLE applied(
        one INTEGER PRIMARY KEY CHECK (one = 1),
        segment INTEGER NOT NULL, offset INTEGER NOT NULL,
        entry INTEGER NOT NULL, hash TEXT NOT NULL, date INTEGER NOT NULL,
        line_segment INTEGER NOT NULL, line_offset INTEGER NOT NULL, line_length INTEGER NOT NULL,
        first_hash TEXT NOT NULL,
        floor_segment INTEGER NOT NULL, floor_offset INTEGER NOT NULL, known INTEGER NOT NULL
    );
    -- `created` is the entry that forked the branch. A branch that was never forked, and is only a label on entries,
    -- has neither `parent` nor `created`. The name of a deleted branch may be used again: then the deleted one is
    -- renamed to LABEL@DELETED, here and in every column that names it.
    CREATE TABLE branches(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent TEXT, forked_at INTEGER,
        persona TEXT, created INTEGER, deleted INTEGER, label TEXT
    );
    CREATE INDEX b_label ON branches(label) WHERE label IS NOT NULL;
    -- The branch on which a conversation continues, and the one on which new conversations begin (is_default).
    CREATE TABLE switches(entry INTEGER PRIMARY KEY, session INTEGER, branch TEXT NOT NULL, is_default INTEGER NOT NULL);
    CREATE INDEX w_session ON switches(session, entry);
    CREATE INDEX w_default ON switches(entry) WHERE is_default;
    -- Every group that changed the view of a form other than messages, by its last entry. `id` is the id of its
    -- `memory/commit`, if it has one. `reverses` is the commit that it reverses, and `how` it does so. `takes` is 1 if
    -- it took something from another branch or resolved a conflict.
    CREATE TABLE commits(
        entry INTEGER PRIMARY KEY, branch INTEGER NOT NULL, session INTEGER, id TEXT,
        reverses INTEGER, how TEXT, takes INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX c_reverses ON commits(reverses, entry) WHERE reverses IS NOT NULL;
    CREATE INDEX c_branch ON commits(branch, entry);
    CREATE INDEX c_id ON commits(id) WHERE id IS NOT NULL;
    -- Merges: the branch that was merged (source), up to the entry `head`.
    CREATE TABLE merges(entry INTEGER PRIMARY KEY, branch INTEGER NOT NULL, source TEXT NOT NULL, head INTEGER NOT NULL);
    CREATE INDEX g_branch ON merges(branch, entry);
    -- Cherry-picks, and the last entry of the commit that each picked.
    CREATE TABLE picks(entry INTEGER PRIMARY KEY, branch INTEGER NOT NULL, picked INTEGER NOT NULL);
    -- The conflicts that merges and cherry-picks left open, and in `settled` the entries that resolved them, with
    -- their branches.
    CREATE TABLE conflicts(
        entry INTEGER NOT NULL, n INTEGER NOT NULL, branch INTEGER NOT NULL,
        ours INTEGER, theirs INTEGER, base INTEGER, PRIMARY KEY(entry, n)
    ) WITHOUT ROWID;
    CREATE TABLE settled(
        entry INTEGER NOT NULL, n INTEGER NOT NULL, branch INTEGER NOT NULL, by INTEGER NOT NULL,
        PRIMARY KEY(entry, n, by)
    ) WITHOUT ROWID;
    -- The observations of facts, with the ids of their events, and the entry that committed each on the same branch.
    CREATE TABLE observations(
        entry INTEGER PRIMARY KEY, event TEXT NOT NULL, branch INTEGER NOT NULL, session INTEGER, committed INTEGER
    );
    CREATE INDEX o_waiting ON observations(event, branch) WHERE committed IS NULL;
    CREATE INDEX o_session ON observations(branch, session, entry) WHERE committed IS NULL;
    CREATE TABLE sessions(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    -- The scopes: `layer` is chat, user or global; `channel` and `ident` are the decoded parts of the name.
    CREATE TABLE scopes(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, layer TEXT NOT NULL, channel TEXT, ident TEXT
    );
    CREATE INDEX s_layer ON scopes(layer);
    -- Every entry, and the location of its line on the tape.
    CREATE TABLE entries(
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT, branch INTEGER NOT NULL, session INTEGER,
        scope INTEGER NOT NULL, sensitivity TEXT, category TEXT, lifetime TEXT,
        date INTEGER NOT NULL, more INTEGER NOT NULL,
        segment INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
        -- The first 8 bytes of the digest of its text: if the line has changed since, the entry is not shown.
        digest INTEGER NOT NULL,
        -- The type of its lines in the journal; NULL if it has none.
        journal TEXT
    );
    CREATE INDEX e_journal ON entries(journal, id) WHERE journal IS NOT NULL;
    CREATE INDEX e_scope ON entries(scope, id) WHERE journal IS NOT NULL;
    CREATE INDEX e_name ON entries(name, id) WHERE name IS NOT NULL;
    CREATE INDEX e_session ON entries(session, id);
    -- The anchors of a conversation. Without it, the last one is found by reading everything that was said after it.
    CREATE INDEX e_anchor ON entries(session, id) WHERE kind = 'anchor';
    -- The resets: each hides everything before it from the queries of one conversation, or of all (NULL).
    CREATE TABLE resets(entry INTEGER NOT NULL, session INTEGER);
    CREATE INDEX x_entry ON resets(entry);
    -- Every memory. `died` is the entry that removed it on the branch of its creation; `spread` is 1 if it was removed
    -- on another branch.
    CREATE TABLE memories(
        id INTEGER PRIMARY KEY, form TEXT NOT NULL, key TEXT NOT NULL, branch INTEGER NOT NULL,
        session INTEGER, scope INTEGER NOT NULL, category TEXT, lifetime TEXT, origin TEXT, sensitivity TEXT,
        importance REAL, confidence REAL, said_at INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER,
        died INTEGER, spread INTEGER NOT NULL DEFAULT 0, previous INTEGER, quarantined TEXT,
        copy_of INTEGER, about TEXT,
        text TEXT NOT NULL, data TEXT
    );
    -- The key of a message is its entry, so a message is found by its id. Most rows are messages, and this index
    -- leaves them out.
    CREATE INDEX m_slot ON memories(form, key, branch, id) WHERE form <> 'messages';
    -- The current memories at the head of a branch without a parent, without their history.
    CREATE INDEX m_live ON memories(form, key) WHERE died IS NULL AND form <> 'messages';
    -- The memories other than messages, in the order of their creation: they get their vectors first, and are few among
    -- many messages.
    CREATE INDEX m_known ON memories(id) WHERE form <> 'messages';
    -- Finds the memories that expire without reading the others.
    CREATE INDEX m_expires ON memories(expires_at) WHERE expires_at IS NOT NULL AND died IS NULL;
    -- The removed memories other than messages.
    CREATE INDEX m_gone ON memories(died) WHERE died IS NOT NULL AND form <> 'messages';
    -- The facts about one subject and predicate, in all of their slots.
    CREATE INDEX m_about ON memories(about, id) WHERE about IS NOT NULL;
    -- The current facts of a branch by their confidence.
    CREATE INDEX m_sure ON memories(branch, confidence DESC, id DESC) WHERE died IS NULL AND form = 'ledger';
    CREATE INDEX m_copy ON memories(copy_of) WHERE copy_of IS NOT NULL;
    CREATE INDEX m_session ON memories(session, form, id);
    -- The quarantined memories and messages.
    CREATE INDEX m_quarantined ON memories(id) WHERE quarantined IS NOT NULL;
    -- What tools and pages said.
    CREATE INDEX m_foreign ON memories(id) WHERE origin IN ('tool', 'web');
    -- Removals on branches other than the one on which the memory was created (memories.spread = 1).
    CREATE TABLE retired(
        memory INTEGER NOT NULL, branch INTEGER NOT NULL, entry INTEGER NOT NULL,
        PRIMARY KEY(memory, branch, entry)
    ) WITHOUT ROWID;
    CREATE INDEX r_branch ON retired(branch, entry);
    -- Turns: the event that began the turn, the one that closed it, the one that reported it as interrupted, and its
    -- counters.
    CREATE TABLE turns(
        begin INTEGER PRIMARY KEY, session INTEGER, closed INTEGER, reported INTEGER,
        recall_hit INTEGER NOT NULL DEFAULT 0, recall_miss INTEGER NOT NULL DEFAULT 0,
        capture_saved INTEGER NOT NULL DEFAULT 0, capture_dropped_low_conf INTEGER NOT NULL DEFAULT 0,
        capture_dropped_safety INTEGER NOT NULL DEFAULT 0, capture_deduped INTEGER NOT NULL DEFAULT 0,
        prompt_chars INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX t_open ON turns(session) WHERE closed IS NULL AND reported IS NULL;
    -- The same in order.
    CREATE INDEX t_unfinished ON turns(begin) WHERE closed IS NULL AND reported IS NULL;
    CREATE INDEX t_closed ON turns(closed);
    -- The memories that recall put into the prompt of a turn. `entry` is the entry that closed the turn.
    CREATE TABLE recalls(
        memory INTEGER NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY(memory, entry)
    ) WITHOUT ROWID;
    CREATE INDEX n_entry ON recalls(entry);
    -- The model that computed the vectors, and the last memory that has one: among memories other than messages
    -- (known), and among messages.
    CREATE TABLE model(
        one INTEGER PRIMARY KEY CHECK (one = 1),
        name TEXT NOT NULL, digest TEXT NOT NULL, dimensions INTEGER NOT NULL,
        known INTEGER NOT NULL, messages INTEGER NOT NULL
    );
    -- The last entry that changed the mirror files of statements, and the instant whose view they show. For each file,
    -- its length after the last update, and when its last statement was first said.
    CREATE TABLE mirrored(one INTEGER PRIMARY KEY CHECK (one = 1), entry INTEGER NOT NULL, instant INTEGER NOT NULL);
    CREATE TABLE mirror_files(file TEXT PRIMARY KEY, bytes INTEGER NOT NULL, since INTEGER NOT NULL) WITHOUT ROWID;
    -- The vectors of each scope: in blocks of 256, and in single rows those that do not fill a block yet.
    CREATE TABLE vector_blocks(
        id INTEGER PRIMARY KEY, scope INTEGER NOT NULL,
        memories BLOB NOT NULL, scales BLOB NOT NULL, data BLOB NOT NULL
    );
    CREATE INDEX v_scope ON vector_blocks(scope, id);
    CREATE TABLE vectors(
        scope INTEGER NOT NULL, memory INTEGER NOT NULL, scale BLOB NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY(scope, memory)
    ) WITHOUT ROWID;
    -- A term is TERM|SCOPE. So a term in one scope is one lookup, and a term in all scopes is one prefix lookup.
    CREATE VIRTUAL TABLE memories_fts USING fts5(self, prev, day, content='', tokenize=\"ascii tokenchars '|'\");
    -- Ranking by words reads the positions of each term, and the number of memories and terms of each scope.
    CREATE VIRTUAL TABLE memories_fts_terms USING fts5vocab(memories_fts, instance);
    CREATE TABLE scope_words(scope INTEGER PRIMARY KEY, memories INTEGER NOT NULL, terms INTEGER NOT NULL);
    -- Fewer automatic merges save more time in writes than they cost in searches.
    INSERT INTO memories_fts(memories_fts, rank) VALUES ('automerge', 8);
";

/// Creates the views for other programs, of the branch that is checked out.
///
/// `memory_entries` contains the current statements at its head, in the columns of document 4.
/// `memory_blocks` contains every version of every block on its lineage, in the columns of document 3, and a
/// row without a value if a version was removed and not superseded. The views work in any SQLite client, and
/// reject writes.
pub(crate) const VIEWS: &str = "
    -- The lineage of the branch that is checked out, computed as `Lineage` in memtape-core does.
    CREATE VIEW checked_out AS
    WITH RECURSIVE lineage(branch, parent, forked_at, last) AS (
        SELECT b.id, b.parent, b.forked_at, (SELECT entry FROM applied) FROM branches b
        WHERE b.name = coalesce((SELECT branch FROM switches WHERE is_default ORDER BY entry DESC LIMIT 1), 'main')
        UNION
        SELECT b.id, b.parent, b.forked_at, min(l.last, l.forked_at)
        FROM lineage l JOIN branches b ON b.name = l.parent
    )
    SELECT branch, max(last) AS last FROM lineage GROUP BY branch;

    CREATE VIEW memory_entries AS
    SELECT 'statements:' || m.key AS id,
           (SELECT substr(first_hash, 1, 16) FROM applied) AS workspace_id,
           c.layer AS scope_type, c.name AS scope_key, c.channel AS channel,
           CASE c.layer WHEN 'chat' THEN c.ident END AS chat_id,
           CASE c.layer WHEN 'user' THEN c.ident END AS sender_id,
           m.category AS kind, m.text AS content,
           json_extract(m.data, '$.norm') AS content_norm, json_extract(m.data, '$.hash') AS content_hash,
           m.importance AS importance, m.confidence AS confidence,
           json_extract(m.data, '$.source') AS source, json_extract(m.data, '$.from') AS source_message_id,
           m.origin AS source_role, m.data AS meta_json,
           substr(json_extract(m.data, '$.since'), 1, 19) || '.'
             || substr(trim(substr(json_extract(m.data, '$.since'), 20), '.Z') || '000000', 1, 6) || '+00:00' AS created_at,
           strftime('%Y-%m-%dT%H:%M:%S', m.created_at / 1000000, 'unixepoch')
             || printf('.%06d+00:00', m.created_at % 1000000) AS updated_at,
           (SELECT strftime('%Y-%m-%dT%H:%M:%S', e.date / 1000000, 'unixepoch')
                   || printf('.%06d+00:00', e.date % 1000000)
            FROM entries e WHERE e.id = (SELECT max(r.entry) FROM recalls r WHERE r.memory = m.id)) AS last_accessed_at,
           strftime('%Y-%m-%dT%H:%M:%S', m.expires_at / 1000000, 'unixepoch')
             || printf('.%06d+00:00', m.expires_at % 1000000) AS expires_at,
           0 AS is_deleted
    FROM memories m
    JOIN checked_out l ON l.branch = m.branch
    JOIN scopes c ON c.id = m.scope
    WHERE m.form = 'statements' AND m.form <> 'messages'
      AND m.id < (l.last + 1) << 20 AND (m.died IS NULL OR m.died > l.last)
      AND NOT (m.spread AND EXISTS (SELECT 1 FROM retired r JOIN checked_out k ON k.branch = r.branch
                                    WHERE r.memory = m.id AND r.entry <= k.last))
      AND coalesce(m.sensitivity, '') <> 'confidential'
      AND (m.expires_at IS NULL OR m.expires_at > strftime('%s', 'now') * 1000000);
    CREATE TRIGGER memory_entries_insert INSTEAD OF INSERT ON memory_entries BEGIN
        SELECT RAISE(ABORT, 'memory_entries shows what the tape says: to add a statement, run memtape add --text TEXT');
    END;
    CREATE TRIGGER memory_entries_update INSTEAD OF UPDATE ON memory_entries BEGIN
        SELECT RAISE(ABORT, 'memory_entries shows what the tape says: run memtape forget REF, then memtape add --text TEXT');
    END;
    CREATE TRIGGER memory_entries_delete INSTEAD OF DELETE ON memory_entries BEGIN
        SELECT RAISE(ABORT, 'memory_entries shows what the tape says: to forget a statement, run memtape forget REF');
    END;

    -- Every version; then a row without a value for each version that was removed and not superseded, first on the
    -- branch of its creation, then on another. A proposal that waits for the owner is not a block.
    CREATE VIEW memory_blocks AS
    SELECT m.id AS id, m.key AS name, m.text AS value, json_extract(m.data, '$.layer') AS layer,
           datetime(m.created_at / 1000000, 'unixepoch') AS created_at
    FROM memories m JOIN checked_out l ON l.branch = m.branch
    WHERE m.form = 'blocks' AND m.form <> 'messages' AND m.key NOT GLOB 'proposed/*'
      AND m.id < (l.last + 1) << 20 AND coalesce(m.sensitivity, '') <> 'confidential'
    UNION ALL
    SELECT (m.died << 20) | 524288 | ((m.id >> 20) & 524287), m.key, NULL, json_extract(m.data, '$.layer'),
           datetime(e.date / 1000000, 'unixepoch')
    FROM memories m JOIN checked_out l ON l.branch = m.branch JOIN entries e ON e.id = m.died
    WHERE m.form = 'blocks' AND m.form <> 'messages' AND m.key NOT GLOB 'proposed/*'
      AND m.died <= l.last AND coalesce(m.sensitivity, '') <> 'confidential'
      AND NOT EXISTS (SELECT 1 FROM memories n WHERE n.id >= m.died << 20 AND n.id < (m.died + 1) << 20
                      AND n.form = m.form AND n.key = m.key)
    UNION ALL
    SELECT (r.entry << 20) | 524288 | ((m.id >> 20) & 524287), m.key, NULL, json_extract(m.data, '$.layer'),
           datetime(e.date / 1000000, 'unixepoch')
    FROM memories m JOIN checked_out b ON b.branch = m.branch
    JOIN retired r ON r.memory = m.id JOIN checked_out l ON l.branch = r.branch JOIN entries e ON e.id = r.entry
    WHERE m.form = 'blocks' AND m.form <> 'messages' AND m.key NOT GLOB 'proposed/*' AND m.spread
      AND m.id < (b.last + 1) << 20 AND r.entry <= l.last AND coalesce(m.sensitivity, '') <> 'confidential'
      AND NOT EXISTS (SELECT 1 FROM memories n WHERE n.id >= r.entry << 20 AND n.id < (r.entry + 1) << 20
                      AND n.form = m.form AND n.key = m.key);
    CREATE TRIGGER memory_blocks_insert INSTEAD OF INSERT ON memory_blocks BEGIN
        SELECT RAISE(ABORT, 'memory_blocks shows what the tape says: run memtape block set NAME VALUE, or memtape block restore NAME --at POINT');
    END;
    CREATE TRIGGER memory_blocks_update INSTEAD OF UPDATE ON memory_blocks BEGIN
        SELECT RAISE(ABORT, 'memory_blocks shows what the tape says: run memtape block set NAME VALUE');
    END;
    CREATE TRIGGER memory_blocks_delete INSTEAD OF DELETE ON memory_blocks BEGIN
        SELECT RAISE(ABORT, 'memory_blocks shows what the tape says: to forget a block, run memtape forget blocks:NAME');
    END;
";
