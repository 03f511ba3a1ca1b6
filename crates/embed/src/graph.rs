//! Runs a model's graph on the tokens of one text and returns the text's vector.

use std::path::Path;
use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value, ValueOrView};
use rten_tensor::prelude::*;
use rten_tensor::{NdTensor, Tensor};

use crate::Loading;
use crate::error::{Error, Result};

/// The name of the output of the fourth of the six layers of the bundled model.
const INNER: &str = "/m/encoder/layer.3/output/LayerNorm/LayerNormalization_output_0";

/// How the vector of a text is computed from those of its tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pooling {
    /// The mean of all tokens.
    #[default]
    Mean,
    /// The first token.
    First,
}

/// The value that an input of the graph receives.
#[derive(Clone, Copy)]
enum Input {
    Pieces,
    Ones,
    Zeros,
}

/// A loaded graph.
pub(crate) struct Graph {
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    output: NodeId,
    /// The output of an inner layer; `None` if the model is not the bundled one.
    inner: Option<NodeId>,
    pooling: Pooling,
}

impl Graph {
    /// Loads a model that is part of the binary.
    ///
    /// # Errors
    ///
    /// As [`Graph::from_file`].
    pub(crate) fn from_static(bytes: &'static [u8], loading: Loading) -> Result<Self> {
        let model = options(loading).load_static_slice(bytes);
        Self::new(model.map_err(|why| Error::unreadable("the built-in model", &why))?, Pooling::Mean)
    }

    /// Loads a model from an ONNX file, and from the weight files beside it if there are any.
    ///
    /// # Errors
    ///
    /// [`Error::Unreadable`] if the file is not a model or uses unsupported operators;
    /// [`Error::NotSentences`] if its inputs are not those of a sentence model or it has no output.
    pub(crate) fn from_file(path: &Path, pooling: Pooling, loading: Loading) -> Result<Self> {
        let model = options(loading).load_file(path);
        Self::new(model.map_err(|why| Error::unreadable(path.display().to_string(), &why))?, pooling)
    }

    fn new(model: Model, pooling: Pooling) -> Result<Self> {
        let name_of = |id: NodeId| model.node_info(id).and_then(|node| node.name()).unwrap_or_default();
        let mut inputs = Vec::new();
        for &id in model.input_ids() {
            let input = match name_of(id) {
                "input_ids" => Input::Pieces,
                "attention_mask" => Input::Ones,
                "token_type_ids" => Input::Zeros,
                other => {
                    return Err(Error::NotSentences(format!(
                        "it requires the unsupported input \
                                                                 {other:?}"
                    )));
                }
            };
            inputs.push((id, input));
        }
        if !inputs.iter().any(|(_, input)| matches!(input, Input::Pieces)) {
            return Err(Error::NotSentences("it has no input \"input_ids\"".to_owned()));
        }
        let outputs = model.output_ids();
        let known = ["sentence_embedding", "last_hidden_state", "token_embeddings"];
        let named = known.iter().find_map(|name| outputs.iter().find(|&&id| name_of(id) == *name));
        let output = named.or(outputs.first()).copied();
        let output = output.ok_or_else(|| Error::NotSentences("it has no output".to_owned()))?;
        let inner = model.find_node(INNER);
        Ok(Self { model, inputs, output, inner, pooling })
    }

    /// Returns the vector of one text, of length 1. `pieces` must not be empty.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if the graph fails; [`Error::NotSentences`] if its output is not of the type and shape
    /// of a sentence model's.
    pub(crate) fn run(&self, pieces: &[i32], pool: &Arc<ThreadPool>) -> Result<Vec<f32>> {
        self.vector(&self.output_of(self.output, pieces, None, pool)?)
    }

    /// Returns the vector of one text as [`Graph::run`] does, from the states of its tokens in the inner layer.
    ///
    /// # Errors
    ///
    /// As [`Graph::states`].
    pub(crate) fn run_from(
        &self,
        pieces: &[i32],
        states: &Tensor<f32>,
        pool: &Arc<ThreadPool>,
    ) -> Result<Vec<f32>> {
        self.vector(&self.output_of(self.output, pieces, Some((self.inner()?, states)), pool)?)
    }

    fn vector(&self, output: &Tensor<f32>) -> Result<Vec<f32>> {
        let data = output.to_vec();
        let mut vector = match (output.shape(), self.pooling) {
            (&[1, _], _) => data,
            (&[1, rows, width], Pooling::First) if rows > 0 => data[..width].to_vec(),
            (&[1, rows, width], Pooling::Mean) if rows > 0 && width > 0 => mean(&data, width),
            (shape, _) => return Err(unexpected(shape)),
        };
        normalize(&mut vector);
        Ok(vector)
    }

    /// Returns the states of the tokens in an inner layer, one after the other, each of the same length: `[1, tokens, width]`.
    ///
    /// # Errors
    ///
    /// [`Error::Run`] if the graph fails; [`Error::NotSentences`] if it is not the bundled one.
    pub(crate) fn states(&self, pieces: &[i32], pool: &Arc<ThreadPool>) -> Result<Tensor<f32>> {
        self.output_of(self.inner()?, pieces, None, pool)
    }

    fn inner(&self) -> Result<NodeId> {
        self.inner.ok_or_else(|| Error::NotSentences("it has no known inner layer".to_owned()))
    }

    /// Runs the graph up to an output, from its inputs or from a value in it that is known.
    fn output_of(
        &self,
        output: NodeId,
        pieces: &[i32],
        known: Option<(NodeId, &Tensor<f32>)>,
        pool: &Arc<ThreadPool>,
    ) -> Result<Tensor<f32>> {
        let shape = [1, pieces.len()];
        let tensor = |&(id, input): &(NodeId, Input)| {
            let tensor = match input {
                Input::Pieces => NdTensor::from_data(shape, pieces.to_vec()),
                Input::Ones => NdTensor::full(shape, 1),
                Input::Zeros => NdTensor::full(shape, 0),
            };
            (id, ValueOrView::from(Value::from(tensor)))
        };
        let known = known.map(|(id, value)| (id, ValueOrView::from(Value::from(value.clone()))));
        let inputs = self.inputs.iter().map(tensor).chain(known).collect();
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(pool)));
        let failed = |why: &dyn ToString| Error::Run(why.to_string());
        let [output] = self.model.run_n(inputs, [output], Some(options)).map_err(|why| failed(&why))?;
        output.try_into().map_err(|_| Error::NotSentences("its output is not of type f32".to_owned()))
    }
}

fn unexpected(shape: &[usize]) -> Error {
    Error::NotSentences(format!("its output has the shape {shape:?}"))
}

fn options(loading: Loading) -> ModelOptions {
    let mut options = ModelOptions::with_all_ops();
    options.prepack_weights(loading == Loading::ForMany);
    options
}

/// Returns the mean of rows of equal width.
pub(crate) fn mean(data: &[f32], width: usize) -> Vec<f32> {
    let mut sum = vec![0.0; width];
    for row in data.chunks_exact(width) {
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    let rows = (data.len() / width) as f32;
    sum.iter_mut().for_each(|sum| *sum /= rows);
    sum
}

/// Returns the maximum of each column of rows of equal width.
pub(crate) fn maximum(data: &[f32], width: usize) -> Vec<f32> {
    let mut most = vec![f32::MIN; width];
    for row in data.chunks_exact(width) {
        most.iter_mut().zip(row).for_each(|(most, value)| *most = most.max(*value));
    }
    most
}

/// Scales a vector to length 1; leaves a vector of length 0 unchanged.
fn normalize(vector: &mut [f32]) {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|v| *v /= length);
    }
}
