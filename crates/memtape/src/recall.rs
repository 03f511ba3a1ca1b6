//! Recall: one question, one ranked answer that fits.

use std::collections::BTreeSet;

use jiff::Timestamp;
use memtape_core::forms::messages::Said;
use memtape_core::recall::fit::{Budget, Fit, Fitting, Left, Limits};
use memtape_core::recall::question::{covered, named_speaker, without_name};
use memtape_core::recall::rank::{Asked, CANDIDATES, Candidate, Ranked, Recipe, Terms, rank};
use memtape_core::recall::tokenize::{QUERY_TERMS_MAX, query_terms};
use memtape_core::recall::vector::Vector;
use memtape_core::{Audience, Category, Form, Layer, Memory, MemoryId, Point, Ref, Session};
use memtape_store::{Model, Notice, Reader, Search};

use crate::config::Backend;
use crate::error::{Error, Result};
use crate::workspace::{At, Workspace, conversation_of};

/// How many hits can be asked for.
pub const HITS_MAX: usize = 1000;
/// Of so many hits by words it is looked how much of the question they hold.
const COVERING: usize = 5;

/// A question to memory.
#[derive(Clone, Debug)]
pub struct Recall {
    /// Words, in any language.
    pub query: String,
    /// Who asks.
    pub audience: Audience,
    /// In which conversation it is asked, which says which branch is meant; that of the audience, without.
    pub session: Option<Session>,
    /// Only these forms; all, where there are none.
    pub forms: Vec<Form>,
    /// Only statements in these categories; anything, where there are none.
    pub categories: Vec<Category>,
    /// At most so many hits; as the workspace is configured, without.
    pub limit: Option<usize>,
    /// At most so many characters; any number, without.
    pub budget: Option<Budget>,
    /// How it is found; as the workspace is configured, without.
    pub backend: Option<Backend>,
    /// What each term of the ranking weighs.
    pub recipe: Recipe,
    /// Only what may be put into a prompt by itself: not what a tool or a page said, nor what is quarantined.
    pub unasked: bool,
    /// Only what was said or noted from then on.
    pub since: Option<Timestamp>,
    /// Without these.
    pub without: BTreeSet<MemoryId>,
    /// Found like others, but shown already where the answer goes: they are told apart ([`Recalled::shown`]).
    pub shown: BTreeSet<MemoryId>,
}

impl Recall {
    /// A question to everything, with the usual limit.
    #[must_use]
    pub fn new(query: &str) -> Self {
        Self {
            query: query.to_owned(),
            audience: Audience::owner(),
            session: None,
            forms: Vec::new(),
            categories: Vec::new(),
            limit: None,
            budget: None,
            backend: None,
            recipe: Recipe::MEASURED,
            unasked: false,
            since: None,
            without: BTreeSet::new(),
            shown: BTreeSet::new(),
        }
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
    /// How well it answers, from 0 to 1.
    pub score: f64,
    /// What the score is made of.
    pub terms: Terms,
    /// Others that say the same.
    pub also: Vec<Ref>,
    /// The memory.
    pub memory: Memory,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// What was found and is shown already ([`Recall::shown`]).
    pub shown: Vec<MemoryId>,
    /// What was found and left out.
    pub left: Left,
    /// Why there is no hit, in a sentence.
    pub note: Option<String>,
}

impl Recalled {
    /// What was found, and is shown one way or the other.
    pub fn found(&self) -> impl Iterator<Item = MemoryId> {
        self.hits.iter().map(|hit| hit.memory.id).chain(self.shown.iter().copied())
    }
}

impl Workspace {
    /// Finds memories again.
    ///
    /// # Errors
    /// [`Error::Refused`] for a query of more bytes than a message may have (`ingest.max_message_bytes`), or what the medium
    /// says. A query without words is no error, and a model that cannot be run is a notice: then words are all there is.
    pub fn recall(&self, recall: &Recall, at: &At) -> Result<Recalled> {
        let (len, max) = (recall.query.len(), self.config.max_message_bytes);
        if len > max {
            return Err(Error::Refused(format!(
                "the query has {len} bytes, and at most {max} are looked for (ingest.max_message_bytes): ask in fewer words"
            )));
        }
        let terms = query_terms(&recall.query);
        if terms.is_empty() {
            let note = Some("The query holds no word to look for.".into());
            return Ok(Recalled { note, ..Recalled::default() });
        }
        let model = match recall.backend.unwrap_or(self.config.recall.backend) {
            Backend::SqliteFts => None,
            Backend::Hybrid => self.model_at_hand(),
        };
        let session = recall.session.clone().unwrap_or_else(|| conversation_of(&recall.audience));
        let find = |model: Option<&Model>, ready: bool| {
            self.read(at, &session, |reader, point| match model {
                // What is known shall not be missed for want of a vector; in a view that was taken there is no more to come.
                Some(model) if !ready && !at.is_within_view() && reader.is_known_waiting(model)? => Ok(None),
                _ => self.find(recall, &terms, model, reader, point).map(Some),
            })
        };
        let found = match model {
            Some(_) => self.meaning.loading(|| find(model.as_ref(), false)),
            None => find(None, true),
        };
        let mut recalled = match found? {
            Some(recalled) => recalled,
            None => {
                self.note_failure(self.make_known_before_recall());
                find(model.as_ref(), true)?.unwrap_or_default()
            }
        };
        if recalled.hits.is_empty() && recalled.left == Left::default() {
            let words = match terms.len() {
                QUERY_TERMS_MAX.. => format!("the query's first {QUERY_TERMS_MAX} words"),
                _ => "these words".to_owned(),
            };
            let or_means = if model.is_some() { ", or means anything like them" } else { "" };
            recalled.note = Some(format!("Nothing that is remembered holds any of {words}{or_means}."));
        }
        Ok(recalled)
    }

    /// Which model reads what is meant; `None` where it cannot be read, which is noted.
    pub(crate) fn model_at_hand(&self) -> Option<Model> {
        self.note_failure(self.meaning.model())
    }

    /// Notes that a model cannot be run. Where vectors cannot be kept, on read-only media, those there are serve.
    pub(crate) fn note_failure<T>(&self, made: Result<T>) -> Option<T> {
        if let Err(e @ Error::Model(_)) = &made {
            self.store.note(Notice::NoMeaning { why: e.to_string() });
        }
        made.ok()
    }

    fn find(
        &self,
        recall: &Recall,
        terms: &[String],
        model: Option<&Model>,
        reader: &Reader<'_>,
        point: &Point,
    ) -> memtape_store::Result<Recalled> {
        let limits = self.limits(recall);
        let search = Search {
            audience: recall.audience.clone(),
            forms: recall.forms.clone(),
            categories: recall.categories.clone(),
            limit: limits.results.clamp(CANDIDATES, HITS_MAX),
            unasked: recall.unasked,
            since: recall.since,
            without: recall.without.clone(),
        };
        let mut searcher = reader.searcher(&search, point)?;
        let mut candidates = searcher.by_words(terms)?;
        let mut share = 1.0;
        if let Some(model) = model
            && let Some(question) = self.question(&recall.query, &candidates)
        {
            share = coverage(reader, terms, &candidates)?;
            searcher.by_meaning(model, &question, &mut candidates)?;
        }
        let asked = Asked {
            query: &recall.query,
            covered: share,
            now: point.instant,
            recipe: &recall.recipe,
            weights: &self.config.recall.weights,
        };
        fitted(reader, &candidates, &rank(&candidates, &asked), limits, &recall.shown)
    }

    /// How large an answer may be. The owner, and who asks for the user's own, is shown any number of a user's.
    fn limits(&self, recall: &Recall) -> Limits {
        let capped = !recall.audience.is_owner() && recall.audience.layer() != Some(Layer::User);
        Limits {
            results: recall.limit.unwrap_or(self.config.recall.max_results).min(HITS_MAX),
            of_user: capped.then_some(self.config.recall.user_layer_results),
            budget: recall.budget,
        }
    }

    /// The question's vector; `None` where the model cannot be run.
    fn question(&self, query: &str, candidates: &[Candidate]) -> Option<Vector> {
        let speakers = candidates.iter().filter_map(|candidate| candidate.speaker.as_deref());
        let named = named_speaker(query, speakers);
        let text = named.map_or_else(|| query.to_owned(), |name| without_name(query, name));
        self.note_failure(self.meaning.question(&text))
    }
}

/// The best of what was ranked, as far as it fits.
fn fitted(
    reader: &Reader<'_>,
    candidates: &[Candidate],
    ranked: &[Ranked],
    limits: Limits,
    is_shown: &BTreeSet<MemoryId>,
) -> memtape_store::Result<Recalled> {
    let mut fitting = Fitting::new(limits);
    let (mut hits, mut shown): (Vec<Hit>, Vec<MemoryId>) = (Vec::new(), Vec::new());
    let mut rest = ranked.iter();
    while !fitting.is_full()
        && let Some(Ranked { at, terms }) = rest.next()
    {
        let candidate = &candidates[*at];
        if is_shown.contains(&candidate.id) {
            shown.push(candidate.id);
            continue;
        }
        for memory in reader.by_ids([candidate.id])? {
            match fitting.add(&memtape_core::forms::meaning(&memory), candidate.of_user) {
                Fit::Kept => hits.push(hit(memory, *terms)),
                Fit::Same(n) => hits[n].also.push(memory.version()),
                Fit::Left => {}
            }
        }
    }
    Ok(Recalled { hits, shown, left: fitting.left(rest.len()), note: None })
}

/// The share of the question's terms that the best hit by words holds.
fn coverage(reader: &Reader<'_>, asked: &[String], candidates: &[Candidate]) -> memtape_store::Result<f64> {
    let best = reader.by_ids(candidates.iter().take(COVERING).map(|candidate| candidate.id))?;
    let held = best.iter().map(|memory| {
        let speaker = said(memory).0.unwrap_or_default();
        covered(asked, &format!("{speaker} {}", memtape_core::forms::meaning(memory)))
    });
    Ok(held.fold(0.0, f64::max))
}

fn hit(memory: Memory, terms: Terms) -> Hit {
    let (speaker, image) = said(&memory);
    let score = terms.score();
    Hit { reference: memory.version(), speaker, image, score, terms, also: Vec::new(), memory }
}

/// Who said a memory and what picture went with it, where it is a message.
pub(crate) fn said(memory: &Memory) -> (Option<String>, Option<String>) {
    if memory.form != Form::MESSAGES {
        return (None, None);
    }
    let data = Said::read(memory.clone()).data;
    (Some(data.speaker().to_owned()), data.image)
}
