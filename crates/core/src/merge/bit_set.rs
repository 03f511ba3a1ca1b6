//! A set of small numbers.

/// A set of numbers, with a bit for each.
///
/// **Invariant.** The last word is not 0, so equal sets are equal as values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BitSet(Vec<u64>);

impl BitSet {
    pub(super) fn insert(&mut self, n: usize) {
        if self.0.len() <= n / 64 {
            self.0.resize(n / 64 + 1, 0);
        }
        self.0[n / 64] |= 1 << (n % 64);
    }

    pub(super) fn extend(&mut self, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (ours, theirs) in self.0.iter_mut().zip(&other.0) {
            *ours |= theirs;
        }
    }

    pub(super) fn contains(&self, n: usize) -> bool {
        self.0.get(n / 64).is_some_and(|word| word & (1 << (n % 64)) != 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_subset(&self, other: &Self) -> bool {
        self.0.len() <= other.0.len() && self.0.iter().zip(&other.0).all(|(ours, theirs)| ours & !theirs == 0)
    }

    pub(super) fn intersection(&self, other: &Self) -> Self {
        let mut words: Vec<u64> = self.0.iter().zip(&other.0).map(|(ours, theirs)| ours & theirs).collect();
        while words.pop_if(|word| *word == 0).is_some() {}
        Self(words)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|n| self.contains(*n))
    }
}

impl FromIterator<usize> for BitSet {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        let mut set = Self::default();
        numbers.into_iter().for_each(|n| set.insert(n));
        set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_set_of_numbers(
            one in proptest::collection::btree_set(0..200_usize, 0..8),
            other in proptest::collection::btree_set(0..200_usize, 0..8),
        ) {
            let [ours, theirs] = [&one, &other].map(|numbers| numbers.iter().copied().collect::<BitSet>());
            let both: BTreeSet<usize> = one.intersection(&other).copied().collect();
            prop_assert_eq!(ours.intersection(&theirs), both.iter().copied().collect());
            prop_assert_eq!(ours.is_subset(&theirs), one.is_subset(&other));
            prop_assert!(ours.intersection(&theirs).is_subset(&ours));
            let mut all = ours.clone();
            all.extend(&theirs);
            prop_assert_eq!(all.iter().collect::<BTreeSet<_>>(), &one | &other);
            prop_assert_eq!(all.is_empty(), one.is_empty() && other.is_empty());
        }
    }
}
