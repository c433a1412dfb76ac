"""Start vLLM: its process's environment, its options, and what it says when a judge does not fit."""

from __future__ import annotations

import gc
import importlib.metadata
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from raim.errors import InputError
from verdicts.engines.memory import out_of_memory
from verdicts.judges.roster import Judge
from verdicts.plan import Settings

#: Tokens a block of cached keys and values on a CPU, where vLLM's default is 128: a shared prefix is shared in whole
#: blocks. Its kernels want a multiple of 32.
_CPU_BLOCK = 32

#: How vLLM begins to say that a judge's weights leave no room for its cache.
_NO_ROOM = (
    "No available memory for the cache blocks",
    "KV cache is needed",
    "less than desired",
    "less than requested memory",
)


def prepare(threads: int) -> None:
    """Set what vLLM reads from the environment, where the user has not, and the number of threads.

    Before vllm is imported.
    """
    settings = {
        # The judge in this process: its errors arrive as they are, and its memory goes with it.
        "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_LOGGING_LEVEL": "ERROR",
        # Shards share a machine: a thread bound to a core would wait for its neighbour's.
        "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    }
    for name, value in settings.items():
        os.environ.setdefault(name, value)
    os.environ["OMP_NUM_THREADS"] = str(threads)
    import torch

    if torch.version.cuda is None and torch.version.hip is None:
        # vLLM compiles parts of its sampler even where the judge runs uncompiled: on a CPU that costs more than it
        # saves, and needs a C++ compiler.
        os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")


class Starter:
    """Loads one judge with vLLM, again and for fewer prompts at once where need be."""

    def __init__(self, judge: Judge, folder: Path, settings: Settings, threads: int) -> None:
        from vllm.platforms import current_platform

        self._folder = folder
        self._judge = judge
        self._settings = settings
        self._started = False
        if current_platform.is_cpu():
            self.device, self.devices = "cpu", 1
            self.hardware = f"{platform.machine()}, {threads} threads"
        elif current_platform.is_unspecified():
            raise InputError(
                "this build of vLLM finds no GPU; check CUDA_VISIBLE_DEVICES and `gpus`, or use the environment of "
                "`make vllm-env` on a CPU"
            )
        else:
            self.device, self.devices = "gpu", int(current_platform.device_count())
            name = str(current_platform.get_device_name())
            self.hardware = name if self.devices == 1 else f"{self.devices} x {name}"

    def versions(self) -> Mapping[str, str]:
        """Versions of vllm, torch and transformers."""
        import vllm

        found = {name: importlib.metadata.version(name) for name in ("torch", "transformers")}
        return {"vllm": vllm.__version__, **found}

    def __call__(self, batch_size: int) -> Any:
        """vLLM's ``LLM`` for at most ``batch_size`` prompts at once.

        Raises InputError where the judge does not fit the memory, or cannot be loaded.
        """
        import torch
        from vllm import LLM
        from vllm.distributed import cleanup_dist_env_and_memory

        if self._started:
            gc.collect()
            cleanup_dist_env_and_memory()
        self._started = True
        torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
        gpus = None if self.device == "cpu" else self.devices
        try:
            return LLM(model=str(self._folder), **options(self._judge, self._settings, batch_size, gpus))
        except (RuntimeError, ValueError, OSError, MemoryError) as error:
            raise InputError(self._why(error)) from error

    def _why(self, error: Exception) -> str:
        if out_of_memory(error) or any(sign in str(error) for sign in _NO_ROOM):
            remedy = (
                "settings: vllm: kv_cache_gib"
                if self.device == "cpu"
                else "settings: vllm: gpu_memory_utilization"
            )
            return (
                f"{self._folder}: the judge does not fit the memory of this {self.device} ({error}); use a larger "
                f"device or more of them, a smaller context or batch_size, or change {remedy}"
            )
        return (
            f"{self._folder}: vLLM cannot load the judge ({error}); fetch its weights again, or upgrade vllm"
        )


def options(judge: Judge, settings: Settings, batch_size: int, gpus: int | None) -> dict[str, Any]:
    """Options of vLLM's ``LLM`` beside the model; ``gpus`` is None on a CPU.

    The quantisation is the checkpoint's own: vLLM reads it from there.
    """
    chosen: dict[str, Any] = {
        "dtype": settings.dtype_of(judge),
        "max_model_len": settings.context_of(judge),
        "max_num_seqs": batch_size,
        "enable_prefix_caching": True,
        "trust_remote_code": bool(judge.remote_code),
        "seed": 0,
        "use_tqdm_on_load": False,
    }
    if gpus is None:
        return chosen | {
            "block_size": _CPU_BLOCK,
            "kv_cache_memory_bytes": int(settings.vllm.kv_cache_gib * 2**30),
            "enforce_eager": True,
        }
    return chosen | {
        "tensor_parallel_size": gpus,
        "gpu_memory_utilization": settings.vllm.gpu_memory_utilization,
    }
