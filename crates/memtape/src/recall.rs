//! Recall: one question, one ranked answer.

use memtape_core::forms::messages::Said;
use memtape_core::recall::rank::{CANDIDATES, Candidate, rank};
use memtape_core::recall::tokenize::QUERY_TERMS_MAX;
use memtape_core::{Audience, Form, Memory, Ref};
use memtape_store::{Found, Search};

use crate::error::Result;
use crate::workspace::{At, Workspace};

/// How many hits are given, unless told otherwise.
pub const HITS: usize = 8;
/// How many hits can be asked for.
pub const HITS_MAX: usize = 1000;

/// A question to memory.
#[derive(Clone, Debug)]
pub struct Recall {
    /// Words, in any language.
    pub query: String,
    /// Who asks.
    pub audience: Audience,
    /// Only these forms; all, where there are none.
    pub forms: Vec<Form>,
    /// At most so many hits.
    pub limit: usize,
}

impl Recall {
    /// A question to everything, with the usual limit.
    #[must_use]
    pub fn new(query: &str) -> Self {
        Self { query: query.to_owned(), audience: Audience::owner(), forms: Vec::new(), limit: HITS }
    }
}

/// A memory that answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// What names it, with its version.
    pub reference: Ref,
    /// Who said it, where somebody did.
    pub speaker: Option<String>,
    /// What a picture sent along shows, where there was one.
    pub image: Option<String>,
    /// How well it answers, from 0 to 1: its score over the best one's. See [`memtape_core::recall::rank`].
    pub score: f64,
    /// The memory.
    pub memory: Memory,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// Why there is none, in a sentence.
    pub note: Option<String>,
}

impl Workspace {
    /// Finds memories again.
    ///
    /// # Errors
    /// What the medium says. No query is an error.
    pub fn recall(&self, recall: &Recall, at: &At) -> Result<Recalled> {
        let search = Search {
            query: recall.query.clone(),
            audience: recall.audience.clone(),
            forms: recall.forms.clone(),
            limit: recall.limit.clamp(CANDIDATES, HITS_MAX),
        };
        let (hits, terms) = match self.read(at, |reader, point| reader.search(&search, point))? {
            Found::NoWords => {
                return Ok(Recalled {
                    hits: Vec::new(),
                    note: Some("The query holds no word to look for.".into()),
                });
            }
            Found::Hits { hits, terms } => (hits, terms),
        };
        let candidates: Vec<_> = hits.iter().map(|(memory, words)| candidate(memory, *words)).collect();
        let hits: Vec<_> = rank(&recall.query, &candidates)
            .into_iter()
            .take(recall.limit)
            .map(|(n, score)| hit(hits[n].0.clone(), score))
            .collect();
        let words = match terms {
            QUERY_TERMS_MAX.. => format!("the query's first {QUERY_TERMS_MAX} words"),
            _ => "these words".to_owned(),
        };
        let note = hits.is_empty().then(|| format!("Nothing that is remembered holds any of {words}."));
        Ok(Recalled { hits, note })
    }
}

/// Only messages belong to a conversation whose other turns tell something of them.
fn candidate(memory: &Memory, words: f64) -> Candidate {
    let (session, speaker) = match memory.form {
        Form::Messages => (memory.session.clone(), Said::read(memory.clone()).data.name),
        Form::Zone => (None, None),
    };
    Candidate { id: memory.id, words, previous: memory.previous, session, speaker }
}

fn hit(memory: Memory, score: f64) -> Hit {
    let reference = Ref { entry: Some(memory.id.entry()), ..memory.reference() };
    let (speaker, image) = said(&memory);
    Hit { reference, speaker, image, score: score.clamp(0.0, 1.0), memory }
}

/// Who said a memory and what picture went with it, where it is a message.
pub(crate) fn said(memory: &Memory) -> (Option<String>, Option<String>) {
    if memory.form != Form::Messages {
        return (None, None);
    }
    let data = Said::read(memory.clone()).data;
    (Some(data.speaker().to_owned()), data.image)
}
