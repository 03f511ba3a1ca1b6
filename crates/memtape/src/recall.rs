//! Recall: one question, one ranked list of memories that fits a budget.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::num::NonZero;
use std::sync::LazyLock;
use std::thread;

use jiff::Timestamp;
use memtape_core::forms::messages::StoredMessage;
use memtape_core::forms::messages::entry::MessageData;
use memtape_core::recall::fit::{Budget, Fit, Fitting, Left, Limits};
use memtape_core::recall::question::{
    covered, is_acknowledgement, is_repeated, name_in_question, named_speaker, without_name,
};
use memtape_core::recall::rank::{Asked, CANDIDATES, Candidate, Ranked, Recipe, Terms, rank};
use memtape_core::recall::tokenize::{QUERY_TERMS_MAX, query_terms};
use memtape_core::recall::vector::Vector;
use memtape_core::{Audience, Category, Form, Layer, Memory, MemoryId, Origin, Point, Ref, Session};
use memtape_index::{Model, Reader, Search, Searcher};
use memtape_store::Warning;
use memtape_tape::EntryId;

use crate::branches::contested;
use crate::config::Backend;
use crate::error::{Error, Result};
use crate::semaphore::Semaphore;
use crate::workspace::{At, Workspace, conversation_of};

mod newest;

pub use newest::Newer;

/// Maximum number of hits of one recall.
pub const HITS_MAX: usize = 1000;
/// Number of best answers by words whose coverage of the question is measured.
const COVERING: usize = 5;

/// Two permits for each core: while one recall waits for the disk or for memory, the other computes. More at once would
/// finish no sooner: they would only take the cores from shorter calls, and each has a connection with a cache of its own.
static RECALLS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(2 * thread::available_parallelism().map_or(1, NonZero::get)));

/// A question to memory.
#[derive(Clone, Debug)]
pub struct Recall {
    /// The words to look for, in any language.
    pub query: String,
    /// The audience that asks.
    pub audience: Audience,
    /// The conversation, which decides the branch; `None` uses the conversation of the audience.
    pub session: Option<Session>,
    /// Only these forms; empty means all.
    pub forms: Vec<Form>,
    /// Only statements of these categories; empty means no restriction.
    pub categories: Vec<Category>,
    /// Maximum number of hits, at most [`HITS_MAX`]; `None` uses the configured number.
    pub limit: Option<usize>,
    /// Maximum number of characters; `None` means no limit.
    pub budget: Option<Budget>,
    /// How memories are found; `None` uses the configured backend.
    pub backend: Option<Backend>,
    /// The weights of the parts of relevance.
    pub recipe: Recipe,
    /// Only memories that a prompt may show unasked: no tool output, no content of pages, nothing
    /// quarantined.
    pub unasked: bool,
    /// Only memories from this instant on.
    pub since: Option<Timestamp>,
    /// Memories to exclude.
    pub without: BTreeSet<MemoryId>,
    /// Memories that the caller shows already. They are ranked like others but reported in
    /// [`Recalled::shown`].
    pub shown: BTreeSet<MemoryId>,
}

impl Recall {
    /// Returns a question to all forms, for the owner, with the configured limit.
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

/// A memory that answers the question.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The reference of the memory, with its version.
    pub reference: Ref,
    /// The speaker of a message, or, in the prompt of a conversation of several people, of what a statement was captured
    /// from; `None` for other memories.
    pub speaker: Option<String>,
    /// The description of an attached picture, if there is one.
    pub image: Option<String>,
    /// The score, from 0 to 1.
    pub score: f64,
    /// The parts of the score.
    pub terms: Terms,
    /// Other memories that say the same.
    pub also: Vec<Ref>,
    /// The hit before this one that is newer and seems to answer the question instead; `None` if there is none.
    pub newer: Option<Newer>,
    /// Whether a conflict about the memory is open, of which the audience may learn.
    pub is_contested: bool,
    /// The memory.
    pub memory: Memory,
}

/// The result of a recall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recalled {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// The hits that the caller shows already ([`Recall::shown`]).
    pub shown: Vec<MemoryId>,
    /// How many matches are not included, by reason.
    pub left: Left,
    /// Why there is no hit, in a sentence.
    pub note: Option<String>,
}

impl Hit {
    /// Returns whether the memory is shown as an earlier state: another hit is newer and seems to have replaced it.
    #[must_use]
    pub fn is_earlier(&self) -> bool {
        self.newer.as_ref().is_some_and(Newer::is_certain)
    }
}

impl Recalled {
    /// Returns every memory that was found, whether it is a hit or shown already.
    pub fn found(&self) -> impl Iterator<Item = MemoryId> {
        self.hits.iter().map(|hit| hit.memory.id).chain(self.shown.iter().copied())
    }
}

impl Workspace {
    /// Returns the probability that a message needs any memory. A turn recalls nothing if it is below `recall.floor`.
    #[must_use]
    pub fn needs_memory(&self, message: &str) -> f64 {
        f64::from(memtape_capture::needs_memory(message, &self.meaning))
    }

    /// Returns whether a message asks a question and names someone or something that a memory other than a message names.
    /// "Who is Clara?" does not show that it needs a memory; that there is one about a Clara does.
    pub(crate) fn knows_a_name(
        &self,
        message: &str,
        session: &Session,
        audience: &Audience,
        at: &At,
    ) -> Result<bool> {
        let Some(name) = name_in_question(message) else { return Ok(false) };
        let search = Search {
            audience: audience.clone(),
            forms: Form::all().filter(|form| *form != Form::MESSAGES).collect(),
            limit: 1,
            unasked: true,
            ..Search::default()
        };
        let terms = query_terms(name);
        self.read(at, audience, session, |reader, point| {
            Ok(!reader.searcher(&search, point)?.by_words(&terms)?.is_empty())
        })
    }

    /// Finds the memories that answer a question, best first.
    ///
    /// A query without words has no hits and is no error. If the model cannot be run, a warning is recorded
    /// ([`Workspace::take_warnings`]) and only words count.
    ///
    /// # Errors
    /// [`Error::Refused`] if the query is longer than `ingest.max_message_bytes`; [`Error::Store`] if `at`
    /// does not exist or the index cannot be read.
    pub fn recall(&self, recall: &Recall, at: &At) -> Result<Recalled> {
        let (len, max) = (recall.query.len(), self.config.max_message_bytes);
        if len > max {
            return Err(Error::Refused(format!(
                "the query has {len} bytes, and the limit is {max} (ingest.max_message_bytes): use \
                 fewer words"
            )));
        }
        let terms = query_terms(&recall.query);
        if terms.is_empty() {
            let note = Some("The query contains no searchable word.".into());
            return Ok(Recalled { note, ..Recalled::default() });
        }
        let model = match recall.backend.unwrap_or(self.config.recall.backend) {
            Backend::SqliteFts => None,
            Backend::Hybrid => self.model_at_hand(),
        };
        let session = recall.session.clone().unwrap_or_else(|| conversation_of(&recall.audience));
        let _permit = RECALLS.acquire();
        let find = |model: Option<&Model>, ready: bool| {
            self.read(at, &recall.audience, &session, |reader, point| match model {
                // Memories without a vector are embedded before the search, unless the view is pinned and
                // would not show the vectors.
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
                self.note_failure(self.embed_before_recall());
                find(model.as_ref(), true)?.unwrap_or_default()
            }
        };
        if recalled.hits.is_empty() && recalled.left == Left::default() {
            recalled.note = Some(match terms.len() {
                _ if !recalled.shown.is_empty() => "What matches is shown already.".to_owned(),
                QUERY_TERMS_MAX.. => {
                    format!("No matches (only the first {QUERY_TERMS_MAX} words of the query are searched).")
                }
                _ => "No matches.".to_owned(),
            });
        }
        Ok(recalled)
    }

    /// Returns the identity of the model; `None` if it cannot be read, which records a warning.
    pub(crate) fn model_at_hand(&self) -> Option<Model> {
        self.note_failure(self.meaning.model())
    }

    /// Records a warning if a model cannot be run. If vectors cannot be stored, for example on a read-only
    /// disk, recall uses the existing ones.
    pub(crate) fn note_failure<T>(&self, made: Result<T>) -> Option<T> {
        if let Err(e @ Error::Model(_)) = &made {
            self.store.note(Warning::NoMeaning { why: e.to_string() });
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
    ) -> memtape_index::Result<Recalled> {
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
            share = coverage(&searcher, terms, &candidates)?;
            searcher.by_meaning(model, &question, &mut candidates)?;
        }
        let asked = Asked {
            query: &recall.query,
            covered: share,
            now: point.instant,
            zone: reader.zone(),
            recipe: &recall.recipe,
            weights: &self.config.recall.weights,
        };
        let (mut ranked, memories) = best(&searcher, terms, &mut candidates, &asked)?;
        let newer = newest::first(&recall.query, &mut ranked, &memories);
        let mut recalled = fitted(&searcher, &candidates, &ranked, memories, newer, limits, recall)?;
        let contested = match recalled.hits.is_empty() {
            true => HashSet::new(),
            false => contested(reader, point, &recall.audience)?,
        };
        for hit in &mut recalled.hits {
            hit.is_contested = contested.contains(&hit.memory.reference());
        }
        Ok(recalled)
    }

    /// Returns the limits of an answer. The number of hits of the user layer is limited, except for the owner,
    /// for an audience that asks for that layer, and for a question with a limit of its own.
    fn limits(&self, recall: &Recall) -> Limits {
        let asks_for_user = recall.audience.is_owner() || recall.audience.layer() == Some(Layer::User);
        let capped = !asks_for_user && recall.limit.is_none();
        Limits {
            results: recall.limit.unwrap_or(self.config.recall.max_results).min(HITS_MAX),
            of_user: capped.then_some(self.config.recall.user_layer_results),
            budget: recall.budget,
        }
    }

    /// Returns the vector of the question; `None` if the model cannot be run.
    fn question(&self, query: &str, candidates: &[Candidate]) -> Option<Vector> {
        let speakers = candidates.iter().filter_map(|candidate| candidate.speaker.as_deref());
        let named = named_speaker(query, speakers);
        let rest = named.map(|name| without_name(query, name));
        // A question that is only a name asks about whom it names.
        let text = rest.filter(|rest| !query_terms(rest).is_empty());
        self.note_failure(self.meaning.question(text.as_deref().unwrap_or(query)))
    }
}

/// Ranks candidates, and reads the best. Messages of users among them that only ask the question again come behind all
/// that may answer it, and those that are retracted are left out; neither decides how relevant the others are.
fn best(
    searcher: &Searcher<'_>,
    terms: &[String],
    candidates: &mut [Candidate],
    asked: &Asked<'_>,
) -> memtape_index::Result<(Vec<Ranked>, BTreeMap<usize, Memory>)> {
    let (mut memories, mut repeated) = (BTreeMap::new(), Vec::new());
    loop {
        let mut ranked = rank(candidates, asked);
        let mut is_final = true;
        for hit in ranked.iter().take(newest::COMPARED) {
            if memories.contains_key(&hit.at) {
                continue;
            }
            let memory = read(searcher, &candidates[hit.at])?;
            let asks_again = memory.as_ref().is_some_and(|memory| asks_again(terms, memory));
            candidates[hit.at].is_no_answer = asks_again || memory.is_none();
            is_final &= !candidates[hit.at].is_no_answer;
            repeated.extend(asks_again.then_some(*hit));
            memories.extend(memory.map(|memory| (hit.at, memory)));
        }
        if is_final {
            let strong = ranked.partition_point(|hit| !hit.terms.is_weak());
            ranked.splice(strong..strong, repeated);
            return Ok((ranked, memories));
        }
    }
}

/// Returns whether a memory is a message of a user that only asks the question again.
fn asks_again(terms: &[String], memory: &Memory) -> bool {
    let is_of_user = memory.form == Form::MESSAGES && memory.origin == Some(Origin::User);
    is_of_user && is_repeated(terms, &memory.text)
}

/// Reads a candidate; `None` for a retracted message, and for a reply that only acknowledges.
fn read(searcher: &Searcher<'_>, candidate: &Candidate) -> memtape_index::Result<Option<Memory>> {
    let is_message = candidate.form == Form::MESSAGES;
    if is_message && searcher.retracted().includes(candidate.id.entry())? {
        return Ok(None);
    }
    let says_something = |memory: &Memory| {
        let is_reply = is_message && memory.origin == Some(Origin::Assistant);
        !(is_reply && is_acknowledgement(&memory.text))
    };
    Ok(searcher.reader().by_ids([candidate.id])?.pop().filter(says_something))
}

/// Returns the best of the ranked candidates, as far as they fit. `known` contains the memories of some of them. One that
/// would be shown as earlier is left out with the `newer` one that does not fit: alone, it would be taken for what holds.
fn fitted(
    searcher: &Searcher<'_>,
    candidates: &[Candidate],
    ranked: &[Ranked],
    mut known: BTreeMap<usize, Memory>,
    mut newer: BTreeMap<MemoryId, Newer>,
    limits: Limits,
    recall: &Recall,
) -> memtape_index::Result<Recalled> {
    let is_shown = &recall.shown;
    let mut fitting = Fitting::new(limits);
    let (mut hits, mut shown): (Vec<Hit>, Vec<MemoryId>) = (Vec::new(), Vec::new());
    let mut left: Vec<Ref> = Vec::new();
    let mut rest = ranked.iter();
    while !fitting.is_full()
        && let Some(Ranked { at, terms }) = rest.next()
    {
        let candidate = &candidates[*at];
        if is_shown.contains(&candidate.id) {
            shown.push(candidate.id);
            continue;
        }
        let memory = match known.remove(at) {
            Some(memory) => Some(memory),
            None => read(searcher, candidate)?,
        };
        let Some(memory) = memory else { continue };
        let newer = newer.remove(&candidate.id);
        let fit = match &newer {
            Some(newer) if newer.is_certain() && left.contains(&newer.reference) => {
                fitting.leave(candidate.of_user)
            }
            _ => fitting.add(&memory.form.rules().meaning(&memory), candidate.of_user),
        };
        match fit {
            Fit::Kept => hits.push(Hit { newer, ..hit(memory, *terms) }),
            Fit::Same(n) => hits[n].also.push(memory.version()),
            Fit::Left => left.push(memory.version()),
        }
    }
    let mut over_results = 0;
    // Nobody is told how many more there are of what nobody asked for.
    if !recall.unasked {
        for Ranked { at, .. } in rest {
            let is_shown = is_shown.contains(&candidates[*at].id);
            over_results += usize::from(!is_shown && read(searcher, &candidates[*at])?.is_some());
        }
    }
    Ok(Recalled { hits, shown, left: fitting.left(over_results), note: None })
}

/// Returns the greatest share of the question's terms that one of the best answers by words contains.
fn coverage(
    searcher: &Searcher<'_>,
    asked: &[String],
    candidates: &[Candidate],
) -> memtape_index::Result<f64> {
    let read = candidates.iter().filter_map(|candidate| read(searcher, candidate).transpose());
    let answers = read.filter(|read| !read.as_ref().is_ok_and(|memory| asks_again(asked, memory)));
    answers.take(COVERING).try_fold(0.0, |most: f64, memory| {
        let memory = memory?;
        let speaker = said(&memory).0.unwrap_or_default();
        let text = format!("{speaker} {}", memory.form.rules().meaning(&memory));
        Ok(most.max(covered(asked, &text)))
    })
}

fn hit(memory: Memory, terms: Terms) -> Hit {
    let (speaker, image) = said(&memory);
    let score = terms.score();
    let reference = memory.version();
    Hit {
        reference,
        speaker,
        image,
        score,
        terms,
        also: Vec::new(),
        newer: None,
        is_contested: false,
        memory,
    }
}

/// Returns the data of a message; `None` if there is no such message.
pub(crate) fn message_data(
    reader: &Reader<'_>,
    message: EntryId,
) -> memtape_index::Result<Option<MessageData>> {
    let memory = reader.memory(MemoryId::new(message, 0), &Audience::owner())?;
    let message = memory.filter(|memory| memory.form == Form::MESSAGES);
    Ok(message.map(|memory| StoredMessage::data(&memory)))
}

/// Returns the speaker and the picture description of a message; `None` for other memories.
pub(crate) fn said(memory: &Memory) -> (Option<String>, Option<String>) {
    if memory.form != Form::MESSAGES {
        return (None, None);
    }
    let data = StoredMessage::data(memory);
    (Some(data.speaker().to_owned()), data.image)
}
