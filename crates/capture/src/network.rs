//! A neural network with one hidden layer, over the states of a sentence model.
//!
//! It is stored as little-endian numbers: the mean and the reciprocal deviation of each input (32-bit floats), then the
//! weights of the hidden layer by input, its biases, and the weights of the outputs by hidden unit (the upper 16 bits
//! of 32-bit floats).

/// The number of hidden units.
pub(super) const HIDDEN: usize = 64;
/// The length of the state of a message, and of that of a clause.
pub(super) const MESSAGE: usize = 384;
pub(super) const CLAUSE: usize = 3 * MESSAGE;

/// Runs the sentence model on a message.
///
/// The learned weights of this crate belong to the states of the fourth layer of all-MiniLM-L6-v2
/// (`memtape_embed::Embedder::states`).
pub trait Encoder {
    /// Returns the mean state of all tokens of a text (384 numbers), then for each of its parts the mean and the maximum
    /// of the states of its tokens and the mean of those around it (1,152 numbers). A state that is missing or empty is
    /// unknown: the words alone decide then.
    fn states(&self, text: &str, parts: &[std::ops::Range<usize>]) -> Vec<Vec<f32>>;
}

/// The values of the hidden units before their activation.
pub(super) type Sums = [f32; HIDDEN];

/// A network with `O` outputs.
#[derive(Clone)]
pub(super) struct Network<const O: usize> {
    /// The mean and the reciprocal deviation of each input.
    pub(super) typical: Vec<(f32, f32)>,
    pub(super) first: Vec<Sums>,
    pub(super) biases: Sums,
    pub(super) second: Vec<[f32; O]>,
}

impl<const O: usize> Network<O> {
    /// Returns the number of bytes of a stored network.
    const fn length(inputs: usize) -> usize {
        8 * inputs + 2 * ((inputs + 1) * HIDDEN + HIDDEN * O)
    }

    /// Reads a stored network; `None` if it has another length.
    pub(super) fn of(file: &[u8], inputs: usize) -> Option<Self> {
        if file.len() != Self::length(inputs) {
            return None;
        }
        let (typical, weights) = file.split_at(8 * inputs);
        let typical = typical.as_chunks().0.iter().map(|bytes: &[u8; 8]| {
            let (mean, scale) = bytes.split_first_chunk().unwrap_or((&[0; 4], &[]));
            (f32::from_le_bytes(*mean), f32::from_le_bytes(scale.try_into().unwrap_or_default()))
        });
        let mut weights = weights
            .as_chunks()
            .0
            .iter()
            .map(|bytes: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16));
        let mut weight = || weights.next().unwrap_or_default();
        Some(Self {
            typical: typical.collect(),
            first: (0..inputs).map(|_| std::array::from_fn(|_| weight())).collect(),
            biases: std::array::from_fn(|_| weight()),
            second: (0..HIDDEN).map(|_| std::array::from_fn(|_| weight())).collect(),
        })
    }

    /// Returns the bytes that [`Network::of`] reads.
    #[cfg(feature = "training")]
    pub(super) fn bytes(&self) -> Vec<u8> {
        let typical =
            self.typical.iter().flat_map(|(mean, scale)| [*mean, *scale]).flat_map(f32::to_le_bytes);
        let weights = self.first.iter().flatten().chain(&self.biases).chain(self.second.iter().flatten());
        // Half a step is added, so that a weight is rounded and not cut off.
        let upper =
            |weight: &f32| u16::try_from((weight.to_bits().saturating_add(0x8000)) >> 16).unwrap_or(0);
        typical.chain(weights.flat_map(|weight| upper(weight).to_le_bytes())).collect()
    }

    /// Returns the outputs for a state. An empty one counts as the mean state.
    pub(super) fn outputs(&self, state: &[f32]) -> [f32; O] {
        let mut sums = self.biases;
        for (value, ((mean, scale), weights)) in state.iter().zip(self.typical.iter().zip(&self.first)) {
            let value = (value - mean) * scale;
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
        }
        self.outputs_of(&sums)
    }

    /// Returns the outputs for the sums of the hidden units.
    pub(super) fn outputs_of(&self, sums: &Sums) -> [f32; O] {
        let mut outputs = [0.0; O];
        for (sum, weights) in sums.iter().zip(&self.second).filter(|(sum, _)| **sum > 0.0) {
            outputs.iter_mut().zip(weights).for_each(|(output, weight)| *output += sum * weight);
        }
        outputs
    }
}
