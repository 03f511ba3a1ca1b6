//! Random numbers that a seed determines, and the popularity of workspaces.

/// A generator of random numbers: SplitMix64.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(hash(seed))
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        hash(self.0)
    }

    /// Returns a number from 0 to below 1.
    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Returns a number whose bits depend on all bits of another one.
pub(super) fn hash(n: u64) -> u64 {
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

/// The popularity of workspaces: the share of the one at rank `n` is proportional to `1 / (n + FLAT)`.
///
/// That is Zipf's law with a flat head: no single memory gets a noticeable part of all traffic.
pub(super) struct Popularity {
    /// For each workspace, the sum of the shares up to it.
    sums: Vec<f64>,
}

/// How many of the first workspaces are about equally popular.
const FLAT: f64 = 1000.0;

impl Popularity {
    pub(super) fn new(workspaces: u32) -> Self {
        let mut sum = 0.0;
        let mut sums: Vec<f64> = (0..workspaces)
            .map(|n| {
                sum += 1.0 / (f64::from(n) + FLAT);
                sum
            })
            .collect();
        sums.iter_mut().for_each(|upto| *upto /= sum);
        Self { sums }
    }

    /// Returns the part of all turns that a workspace gets.
    pub(super) fn share(&self, workspace: u32) -> f64 {
        let at = workspace as usize;
        self.sums[at] - at.checked_sub(1).map_or(0.0, |before| self.sums[before])
    }

    /// Returns the workspace of a number from 0 to below 1.
    pub(super) fn draw(&self, unit: f64) -> u32 {
        let at = self.sums.partition_point(|upto| *upto <= unit).min(self.sums.len() - 1);
        u32::try_from(at).unwrap_or(u32::MAX)
    }
}
