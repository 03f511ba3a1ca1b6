//! Quality measures of a ranking.

/// Sums of the measures over questions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measures {
    questions: u32,
    recall_5: f64,
    recall_10: f64,
    recall_20: f64,
    reciprocal_rank: f64,
    ndcg_10: f64,
    first: f64,
}

impl Measures {
    /// Adds a question. `gold` contains the items that answer it.
    pub(crate) fn add<T: PartialEq>(&mut self, ranked: &[T], gold: &[T]) {
        let hits: Vec<bool> = ranked.iter().map(|item| gold.contains(item)).collect();
        let recall = |k: usize| {
            let found = hits.iter().take(k).filter(|hit| **hit).count();
            share(found, gold.len())
        };
        self.questions += 1;
        self.recall_5 += recall(5);
        self.recall_10 += recall(10);
        self.recall_20 += recall(20);
        self.first += f64::from(u8::from(hits.first() == Some(&true)));
        self.reciprocal_rank += hits.iter().position(|hit| *hit).map_or(0.0, |at| share(1, at + 1));
        let gain = |at: usize| 1.0 / share(at + 2, 1).log2();
        let gained: f64 =
            hits.iter().take(10).enumerate().filter(|(_, hit)| **hit).map(|(at, _)| gain(at)).sum();
        let ideal: f64 = (0..gold.len().min(10)).map(gain).sum();
        self.ndcg_10 += gained / ideal.max(f64::MIN_POSITIVE);
    }

    /// Adds the sums of another set of questions.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.questions += other.questions;
        self.recall_5 += other.recall_5;
        self.recall_10 += other.recall_10;
        self.recall_20 += other.recall_20;
        self.reciprocal_rank += other.reciprocal_rank;
        self.ndcg_10 += other.ndcg_10;
        self.first += other.first;
    }

    /// Prints the means over all questions.
    pub(crate) fn print(&self, what: &str) {
        let mean = |sum: f64| sum / f64::from(self.questions.max(1));
        println!(
            "{what:28} n {:5}   R@1 {:.3}   R@5 {:.3}   R@10 {:.3}   R@20 {:.3}   MRR {:.3}   nDCG@10 {:.3}",
            self.questions,
            mean(self.first),
            mean(self.recall_5),
            mean(self.recall_10),
            mean(self.recall_20),
            mean(self.reciprocal_rank),
            mean(self.ndcg_10),
        );
    }
}

/// Returns `part / whole`. The counts here are far below the precision limit of a float.
fn share(part: usize, whole: usize) -> f64 {
    let float = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    float(part) / float(whole.max(1))
}
