//! The dates that a query names, in the words of [`calendar::day_words`](crate::calendar::day_words).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::recall::tokenize;

/// The names of the months in English, and in the other languages that are glossed.
const MONTHS: [&str; 12] = [
    "January Januar Jänner enero janvier gennaio janeiro январь января январе",
    "February Februar febrero février febbraio fevereiro февраль февраля феврале",
    "March März marzo mars março март марта марте",
    "April abril avril aprile апрель апреля апреле",
    "May Mai mayo maggio maio май мая мае",
    "June Juni junio juin giugno junho июнь июня июне",
    "July Juli julio juillet luglio julho июль июля июле",
    "August agosto août август августа августе",
    "September septiembre septembre settembre setembro сентябрь сентября сентябре",
    "October Oktober octubre octobre ottobre outubro октябрь октября октябре",
    "November noviembre novembre novembro ноябрь ноября ноябре",
    "December Dezember diciembre décembre dicembre dezembro декабрь декабря декабре",
];

/// The terms of a query, with the months in English.
pub(crate) struct DateTerms {
    /// Its terms.
    pub(crate) terms: Vec<String>,
    /// The months among them.
    pub(crate) months: Vec<String>,
}

/// Returns the terms of a query. A date in digits (`2026-05-12`, `12.5.2026`, `5月12日`) counts as its day, month and year.
pub(crate) fn date_terms(query: &str) -> DateTerms {
    static NAMES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let mut names = HashMap::new();
        for month in MONTHS {
            let all = tokenize::terms(month);
            names.extend(all.iter().map(|name| (name.clone(), all[0].clone())));
        }
        names
    });
    let mut months = Vec::new();
    let mut in_english = |term: String| match NAMES.get(&term) {
        Some(month) => {
            months.push(month.clone());
            month.clone()
        }
        None => term,
    };
    let terms = tokenize::query_terms(&in_words(query)).into_iter().map(&mut in_english).collect();
    DateTerms { terms, months }
}

/// Returns a query with its dates in digits as `12 May 2026`.
fn in_words(query: &str) -> Cow<'_, str> {
    static DIGITS: LazyLock<Regex> = LazyLock::new(|| {
        let date = r"\b(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)\b|\b(?<d2>\d\d?)\. ?(?<m2>\d\d?)\. ?(?<y2>\d{4})\b|(?:(?<y3>\d{4})年)?(?<m3>\d\d?)月(?<d3>\d\d?)[日号]";
        Regex::new(date).expect("a pattern")
    });
    DIGITS.replace_all(query, |found: &Captures<'_>| {
        let part = |names: [&str; 3]| {
            names.into_iter().find_map(|name| found.name(name)).map_or("", |part| part.as_str())
        };
        let month =
            part(["m", "m2", "m3"]).parse().ok().and_then(|month: usize| MONTHS.get(month.checked_sub(1)?));
        let name = month.and_then(|names| names.split(' ').next());
        match (name, part(["d", "d2", "d3"]).parse::<u8>()) {
            (Some(name), Ok(day)) => format!(" {day} {name} {} ", part(["y", "y2", "y3"])),
            _ => found[0].to_owned(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_digits_and_languages() {
        for (query, terms, month) in [
            ("what did we paint on 2026-05-12?", "paint 12 may 2026", Some("may")),
            ("was haben wir am 12. Mai 2026 gestrichen?", "12 may 2026", Some("may")),
            ("am 3.12.2026", "3 december 2026", Some("december")),
            ("le 1 août", "1 august", Some("august")),
            ("что было 12 мая?", "12 may", Some("may")),
            ("2026年5月12日", "12 may 2026", Some("may")),
            ("version 1.2.3 of 2026-13-45", "version", None),
            ("17.5. was warm", "warm", None),
            ("the 12th of 2026", "2026", None),
        ] {
            let DateTerms { terms: found, months } = date_terms(query);
            for term in tokenize::terms(terms) {
                assert!(found.contains(&term), "{query}: {term} in {found:?}");
            }
            let month = month.map(|month| tokenize::terms(month).remove(0));
            assert_eq!(months.first(), month.as_ref(), "{query}");
        }
    }
}
