//! Divides a budget among sections.
//!
//! **Invariants.** Every section gets at least the lesser of its floor and its need. The sum never exceeds
//! the room.

use super::section::Section;

/// A section's claim, in tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    /// The whole section.
    pub(super) need: usize,
    /// The guaranteed minimum.
    pub(super) floor: usize,
    /// The amount reserved before other sections may exceed their shares.
    pub(super) share: usize,
}

impl Claim {
    pub(super) fn of(section: Section, need: usize, budget: usize) -> Self {
        Self { need, floor: section.floor().min(need), share: part(budget, section.share()) }
    }
}

/// Returns a percentage of a number.
pub(super) fn part(of: usize, percent: usize) -> usize {
    // A real budget is far too small to saturate.
    of.saturating_mul(percent) / 100
}

/// Divides room among claims in order: first every floor, then up to each share, then the remainder. `None` if there is
/// no room for the floors.
pub(super) fn divide(claims: &[Claim], room: usize) -> Option<Vec<usize>> {
    let mut granted: Vec<usize> = claims.iter().map(|claim| claim.floor.min(claim.need)).collect();
    let floors = granted.iter().try_fold(0_usize, |sum, &floor| sum.checked_add(floor))?;
    let mut left = room.checked_sub(floors)?;
    for up_to_share in [true, false] {
        for (granted, claim) in granted.iter_mut().zip(claims) {
            let most = if up_to_share { claim.need.min(claim.share) } else { claim.need };
            let more = most.saturating_sub(*granted).min(left);
            *granted += more;
            left -= more;
        }
    }
    Some(granted)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn claims() -> impl Strategy<Value = Vec<Claim>> {
        let claim = (0_usize..5000, 0_usize..500, 0_usize..2000).prop_map(|(need, floor, share)| Claim {
            need,
            floor,
            share,
        });
        proptest::collection::vec(claim, 0..8)
    }

    proptest! {
        #[test]
        fn everybody_gets_their_floor_and_nobody_more_than_there_is(claims in claims(), room in 0_usize..20_000) {
            let floors: usize = claims.iter().map(|claim| claim.floor.min(claim.need)).sum();
            let Some(granted) = divide(&claims, room) else {
                prop_assert!(floors > room);
                return Ok(());
            };
            let sum: usize = granted.iter().sum();
            let needs: usize = claims.iter().map(|claim| claim.need).sum();
            // No room is left while a section needs it.
            prop_assert_eq!(sum, room.min(needs));
            for (granted, claim) in granted.iter().zip(&claims) {
                prop_assert!((claim.floor.min(claim.need)..=claim.need).contains(granted));
            }
        }
    }
}
