//! The index's tables. `docs/FORMAT.md` describes them for readers with other programs.

/// The version of the tables and of what is put in them. Another version is another file, so that two
/// versions of the program do not rebuild in turn.
pub(crate) const VERSION: u32 = 2;

/// What every connection sets.
pub(crate) const PRAGMAS: &str = "
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = OFF;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -8192;
    PRAGMA wal_autocheckpoint = 2000;
";

/// Makes the tables where there are none.
pub(crate) const TABLES: &str = "
    -- One row: how far the tape was read, and what the last line read was.
    CREATE TABLE applied(
        one INTEGER PRIMARY KEY CHECK (one = 1),
        segment INTEGER NOT NULL, offset INTEGER NOT NULL,
        entry INTEGER NOT NULL, hash TEXT NOT NULL, date INTEGER NOT NULL,
        line_segment INTEGER NOT NULL, line_offset INTEGER NOT NULL, line_length INTEGER NOT NULL,
        first_hash TEXT NOT NULL,
        floor_segment INTEGER NOT NULL, floor_offset INTEGER NOT NULL, known INTEGER NOT NULL
    );
    CREATE TABLE branches(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, parent TEXT, forked_at INTEGER);
    CREATE TABLE sessions(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    -- Whose memories and entries are: layer is chat, user or global.
    CREATE TABLE scopes(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, layer TEXT NOT NULL);
    -- Every entry, and where its line is.
    CREATE TABLE entries(
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT, branch INTEGER NOT NULL, session INTEGER,
        scope INTEGER NOT NULL, sensitivity TEXT, category TEXT,
        date INTEGER NOT NULL, more INTEGER NOT NULL,
        segment INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
        -- The first 8 bytes of the digest of its text: a line that was altered since is not shown as it stands.
        digest INTEGER NOT NULL
    );
    CREATE INDEX e_name ON entries(name, id) WHERE name IS NOT NULL;
    CREATE INDEX e_session ON entries(session, id);
    -- What resets hide from the queries of a conversation: of one session, or (NULL) of all.
    CREATE TABLE resets(entry INTEGER NOT NULL, session INTEGER);
    CREATE TABLE memories(
        id INTEGER PRIMARY KEY, form TEXT NOT NULL, key TEXT NOT NULL, branch INTEGER NOT NULL,
        session INTEGER, scope INTEGER NOT NULL, category TEXT, lifetime TEXT, origin TEXT, sensitivity TEXT,
        importance REAL, confidence REAL, said_at INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER,
        died INTEGER, spread INTEGER NOT NULL DEFAULT 0, previous INTEGER, text TEXT NOT NULL, data TEXT
    );
    -- A message's key is its entry, so it is found by its id: most rows need no place in this index.
    CREATE INDEX m_slot ON memories(form, key, branch, id) WHERE form <> 'messages';
    -- What stands at the head of a branch that was never forked, without its history.
    CREATE INDEX m_live ON memories(form, key) WHERE died IS NULL AND form <> 'messages';
    -- What is known, in the order it was born: it gets its vectors first, and is little among many messages.
    CREATE INDEX m_known ON memories(id) WHERE form <> 'messages';
    CREATE INDEX m_session ON memories(session, form, id);
    -- Memories retired on another branch than the one they were born on (memories.spread = 1).
    CREATE TABLE retired(
        memory INTEGER NOT NULL, branch INTEGER NOT NULL, entry INTEGER NOT NULL,
        PRIMARY KEY(memory, branch, entry)
    ) WITHOUT ROWID;
    -- Memories whose words are not in the full-text table yet: a writer leaves them to the next reader, or adds
    -- many at once.
    CREATE TABLE unread(memory INTEGER PRIMARY KEY, scope INTEGER NOT NULL, own TEXT NOT NULL, prev TEXT, day TEXT);
    -- Which model made the vectors, and up to which memory: of what is known, and of messages.
    CREATE TABLE model(
        one INTEGER PRIMARY KEY CHECK (one = 1),
        name TEXT NOT NULL, digest TEXT NOT NULL, dimensions INTEGER NOT NULL,
        known INTEGER NOT NULL, messages INTEGER NOT NULL
    );
    -- Vectors by scope: in blocks of 256, and those that do not fill a block yet.
    CREATE TABLE vector_blocks(
        id INTEGER PRIMARY KEY, scope INTEGER NOT NULL,
        memories BLOB NOT NULL, scales BLOB NOT NULL, data BLOB NOT NULL
    );
    CREATE INDEX v_scope ON vector_blocks(scope, id);
    CREATE TABLE vectors(
        scope INTEGER NOT NULL, memory INTEGER NOT NULL, scale BLOB NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY(scope, memory)
    ) WITHOUT ROWID;
    -- Terms are TERM|SCOPE, so that a term of one scope, and a term of all scopes as a prefix, are both one look-up.
    CREATE VIRTUAL TABLE memories_fts USING fts5(self, prev, day, content='', tokenize=\"ascii tokenchars '|'\");
    -- Fewer merges make a write cheaper by more than they make a search dearer.
    INSERT INTO memories_fts(memories_fts, rank) VALUES ('automerge', 8);
";
