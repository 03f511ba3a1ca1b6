//! The strength of a memory: how well it is retained, by the number and age of its recalls.
//!
//! `strength = exp(-days / (30 · (1 + recalls)))`: the forgetting curve of Ebbinghaus (*Über das Gedächtnis*,
//! 1885), `exp(-t/S)`, whose `S` grows by the same amount with each recall, as `MemoryBank` (Zhong and
//! others, 2023) does for agents. It only orders views and reports: nothing is removed because of it.

use jiff::Timestamp;

/// The days after which the strength of a never recalled memory falls to 1/e.
const DAYS: f64 = 30.0;
const SECONDS_A_DAY: f64 = 86_400.0;

/// Returns the strength at `now`, from 0 to 1, of a memory last used (stated or recalled) at `used_at` and
/// recalled `recalls` times.
#[must_use]
pub fn strength(used_at: Timestamp, recalls: u64, now: Timestamp) -> f64 {
    let days = now.duration_since(used_at).as_secs_f64().max(0.0) / SECONDS_A_DAY;
    // Counts of recalls are far below the limit of exact integers in a float.
    #[allow(clippy::cast_precision_loss, reason = "a count")]
    let times = 1.0 + recalls as f64;
    (-days / (DAYS * times)).exp()
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use proptest::prelude::*;

    use super::*;

    fn after(days: i64, recalls: u64) -> f64 {
        strength(
            Timestamp::UNIX_EPOCH,
            recalls,
            Timestamp::UNIX_EPOCH + SignedDuration::from_hours(24 * days),
        )
    }

    #[test]
    fn what_was_never_recalled_is_down_to_a_third_after_a_month() {
        let near = |strength: f64, expected: f64| assert!((strength - expected).abs() < 1e-4, "{strength}");
        near(after(0, 0), 1.0);
        near(after(30, 0), 0.3679);
        near(after(60, 1), 0.3679);
        near(after(90, 0), 0.0498);
        // A time in the future counts as now.
        near(after(-3, 0), 1.0);
    }

    proptest! {
        #[test]
        fn it_falls_with_time_and_rises_with_recalls(days in 0_i64..3000, more in 1_i64..100, recalls in 0_u64..1000) {
            let now = after(days, recalls);
            prop_assert!((0.0..=1.0).contains(&now));
            prop_assert!(after(days + more, recalls) < now || now == 0.0);
            prop_assert!(after(days, recalls + 1) >= now);
        }
    }
}
