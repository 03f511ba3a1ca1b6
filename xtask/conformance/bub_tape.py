"""Lets the tape store of Bub write a tape.

Usage: python bub_tape.py FOLDER

The store and the entries need no other package but the log. The packages as a whole need clients of models.
"""

import importlib
import importlib.util
import logging
import sys
import sysconfig
import types
from pathlib import Path

SITE = Path(sysconfig.get_path("purelib"))


def package(name):
    """Makes a package without running what its `__init__` imports."""
    module = types.ModuleType(name)
    module.__path__ = [str(SITE.joinpath(*name.split(".")))]
    sys.modules[name] = module
    return module


log = types.ModuleType("loguru")
log.logger = logging.getLogger("bub")
sys.modules["loguru"] = log
utils = types.ModuleType("bub.utils")
utils.get_entry_text = str
sys.modules["bub.utils"] = utils
for name in ("republic.core", "republic.tape", "bub", "bub.builtin"):
    package(name)
republic = package("republic")
tape = sys.modules["republic.tape"]
for module in ("entries", "query", "store"):
    names = vars(importlib.import_module(f"republic.tape.{module}"))
    for target in (republic, tape):
        vars(target).update({name: value for name, value in names.items() if not name.startswith("_")})
TapeEntry = republic.TapeEntry
FileTapeStore = importlib.import_module("bub.builtin.store").FileTapeStore

store = FileTapeStore(Path(sys.argv[1]))
name = "5d41402abc4b2a76b9719d911017c592__1f0c9a2e5b6d7c88"
call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "date"}'}}
for entry in (
    TapeEntry.anchor("session/start", state={"owner": "human"}),
    TapeEntry.event("handoff", {"name": "session/start", "state": {"owner": "human"}}),
    TapeEntry.message({"role": "user", "content": "Ich ziehe nach Leipzig"}, run_id="r1"),
    TapeEntry.tool_call([call], run_id="r1"),
    TapeEntry.tool_result(["Tue"], run_id="r1"),
    TapeEntry.message({"role": "assistant", "content": "记下了。"}, run_id="r1"),
    TapeEntry.event("run", {"status": "ok"}, run_id="r1"),
    TapeEntry.anchor("memory/open", state={"version": 1}),
    TapeEntry.event("memory.long_term", {"content": "- moves to Leipzig", "updated_at": "2026-02-10T08:00:00+00:00"}),
    TapeEntry.anchor("memory/seal", state={"version": 1}),
    TapeEntry.anchor("phase-2", state={"summary": "moved"}),
    TapeEntry.system("Be brief."),
):
    store.append(name, entry)
