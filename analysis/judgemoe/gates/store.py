"""Gates in files: safetensors, written and read with numpy alone, never pickle.

A safetensors file is an 8-byte little-endian length, a JSON header that gives each tensor's type, shape and byte range,
and the bytes. Everything about a gate that is not an array stands in the header's ``__metadata__`` under the gate's
name, so that one file carries all gates of a cell.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from analysis.judgemoe.gates.parameters import Gate, Training
from raim.errors import InputError

_LENGTH = struct.Struct("<Q")
#: A header longer than this is no header of ours.
_MAX_HEADER = 1 << 28


def gate_json(gate: Gate) -> dict[str, Any]:
    """A gate as JSON values; Python writes float64 so that it reads back the same."""
    return {
        **_description(gate),
        "arrays": {name: array.tolist() for name, array in gate.arrays.items()},
    }


def gate_from_json(value: Mapping[str, Any]) -> Gate:
    """Inverse of :func:`gate_json`. Raises InputError on a value that no gate has."""
    arrays = {name: np.asarray(array, dtype=np.float64) for name, array in value["arrays"].items()}
    return _gate(value, arrays)


def save_gates(path: Path, gates: Mapping[str, Gate]) -> None:
    """Write gates by name into one safetensors file, atomically; the same gates give the same bytes.

    Gates come out of training rounded to float32, so the file holds them exactly; any other gate is refused.
    """
    header: dict[str, Any] = {
        "__metadata__": {
            name: json.dumps(_description(gates[name]), sort_keys=True) for name in sorted(gates)
        }
    }
    blocks: list[bytes] = []
    offset = 0
    for name in sorted(gates):
        for array_name, array in gates[name].arrays.items():
            block = np.ascontiguousarray(array, dtype="<f4")
            if not np.array_equal(block, array):
                raise InputError(
                    f"gate {name}: its arrays are not float32 values; save a gate as it was trained"
                )
            header[f"{name}/{array_name}"] = {
                "dtype": "F32",
                "shape": list(array.shape),
                "data_offsets": [offset, offset + block.nbytes],
            }
            blocks.append(block.tobytes())
            offset += block.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_bytes(_LENGTH.pack(len(text)) + text + b"".join(blocks))
    temporary.replace(path)


def load_gates(path: Path) -> dict[str, Gate]:
    """Gates of a file by name. Raises InputError on a file that is missing, cut off or not one of ours."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path}: cannot read the trained gates ({error}); restore the file or train again"
        ) from error
    try:
        (length,) = _LENGTH.unpack_from(raw)
        if length > min(_MAX_HEADER, len(raw)):
            raise ValueError("the header is cut off")
        header = json.loads(raw[_LENGTH.size : _LENGTH.size + length])
        body = memoryview(raw)[_LENGTH.size + length :]
        arrays: dict[str, dict[str, Any]] = {}
        for key, entry in header.items():
            if key == "__metadata__":
                continue
            gate_name, array_name = key.rsplit("/", 1)
            start, end = entry["data_offsets"]
            values = np.frombuffer(body[start:end], dtype="<f4").reshape(entry["shape"])
            arrays.setdefault(gate_name, {})[array_name] = values.astype(np.float64)
        described = {name: json.loads(text) for name, text in header["__metadata__"].items()}
        return {name: _gate(value, arrays[name]) for name, value in described.items()}
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise InputError(f"{path}: not a file of gates ({error}); restore it or train again") from error


def _description(gate: Gate) -> dict[str, Any]:
    return {"judges": list(gate.judges), "labels": list(gate.labels), "training": asdict(gate.training)}


def _gate(value: Mapping[str, Any], arrays: Mapping[str, Any]) -> Gate:
    return Gate(tuple(value["judges"]), tuple(value["labels"]), Training(**value["training"]), arrays)
