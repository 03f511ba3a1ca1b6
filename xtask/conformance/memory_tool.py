"""Runs memtape's memory tool with the Anthropic Python SDK, and compares what the model gets with the documentation.

Usage: memory_tool.py SCRATCH COMMAND...

COMMAND is `memtape memory-tool --lines` on an empty workspace. The SDK's tool runner calls the tool as it does for a
model, and calls the SDK's own implementation of the tool the same way, on files below SCRATCH. Only the model is
replaced: a transport answers the SDK's requests with the next command.
"""

import json
import subprocess
import sys

import httpx2
from anthropic import Anthropic
from anthropic.lib.tools import BetaAbstractMemoryTool, ToolError
from anthropic.tools import BetaLocalFilesystemMemoryTool

DIR = "/memories/project"
TODO = f"{DIR}/todo.md"
DONE = "/memories/archive/2026/done.md"
MISSING = f"{DIR}/missing.md"
LISTING = "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and node_modules:"
VIEW = "Here's the content of {} with line numbers:"
EDITED = "The memory file has been edited."
NOT_FOUND = "The path {} does not exist"
ADVICE = " Please provide a valid path."
ERROR = "Error: "


def numbered(*lines, start=1):
    return "".join(f"\n{number:6}\t{line}" for number, line in enumerate(lines, start))


def case(command, reply, *, error=False, sdk=None, **arguments):
    """Returns a command, what Anthropic documents as its reply, and the SDK's own reply where that differs.

    The SDK leaves out the documented "Error: ", because its results carry `is_error`.
    """
    sdk = sdk or reply.removeprefix(ERROR)
    return {"command": command, **arguments}, (reply, error), (sdk, error)


CASES = [
    case("create", f"File created successfully at: {TODO}", path=TODO, file_text="- one\n- two\n- two\n- four"),
    case("create", f"Error: File {TODO} already exists", error=True, path=TODO, file_text=""),
    case("view", VIEW.format(TODO) + numbered("- one", "- two", "- two", "- four"), path=TODO),
    case("view", VIEW.format(TODO) + numbered("- two", "- two", start=2), path=TODO, view_range=[2, 3]),
    case("view", VIEW.format(TODO) + numbered("- four", start=4), path=TODO, view_range=[4, -1]),
    case("view", f"{NOT_FOUND.format(MISSING)}.{ADVICE}", error=True, path=MISSING),
    case(
        "view",
        f"{LISTING.format(DIR)}\n24B\t{DIR}\n24B\t{TODO}",
        # A directory of the file system has a size of its own.
        sdk=f"{LISTING.format(DIR).replace(' and node_modules', '')}\nSIZE\t{DIR}\n24B\t{TODO}",
        path=DIR,
    ),
    case(
        "str_replace",
        EDITED + numbered("- 1", "- two", "- two"),
        sdk=f"{EDITED} Here is the snippet showing the change (with line numbers):"
        + numbered("- 1", "- two", "- two"),
        path=TODO,
        old_str="- one",
        new_str="- 1",
    ),
    case(
        "str_replace",
        f"No replacement was performed, old_str `- one` did not appear verbatim in {TODO}.",
        error=True,
        path=TODO,
        old_str="- one",
        new_str="- 1",
    ),
    case(
        "str_replace",
        "No replacement was performed. Multiple occurrences of old_str `two` in lines: 2, 3. "
        "Please ensure it is unique",
        error=True,
        path=TODO,
        old_str="two",
        new_str="2",
    ),
    case(
        "str_replace",
        f"Error: {NOT_FOUND.format(MISSING)}.{ADVICE}",
        error=True,
        path=MISSING,
        old_str="a",
        new_str="b",
    ),
    case("insert", f"The file {TODO} has been edited.", path=TODO, insert_line=0, insert_text="# Todo 🍵\n"),
    case("insert", f"The file {TODO} has been edited.", path=TODO, insert_line=5, insert_text="- five\n"),
    case("insert", f"The file {TODO} has been edited.", path=TODO, insert_line=2, insert_text="- between\n"),
    case(
        "insert",
        "Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 7]",
        error=True,
        sdk="Invalid `insert_line` parameter: 9. It should be within the range [0, 7].",
        path=TODO,
        insert_line=9,
        insert_text="- nine\n",
    ),
    case(
        "insert",
        f"Error: {NOT_FOUND.format(MISSING)}",
        error=True,
        sdk=f"{NOT_FOUND.format(MISSING)}.{ADVICE}",
        path=MISSING,
        insert_line=0,
        insert_text="a\n",
    ),
    case(
        "view",
        VIEW.format(TODO)
        + numbered("# Todo 🍵", "- 1", "- between", "- two", "- two", "- four", "- five"),
        # The SDK counts the end of the last line as one more line.
        sdk=VIEW.format(TODO)
        + numbered("# Todo 🍵", "- 1", "- between", "- two", "- two", "- four", "- five", ""),
        path=TODO,
    ),
    case("rename", f"Successfully renamed {TODO} to {DONE}", old_path=TODO, new_path=DONE),
    case("rename", f"Error: {NOT_FOUND.format(TODO)}", error=True, old_path=TODO, new_path=f"{DIR}/new.md"),
    case("create", f"File created successfully at: {TODO}", path=TODO, file_text=""),
    case("rename", f"Error: The destination {DONE} already exists", error=True, old_path=TODO, new_path=DONE),
    case("delete", f"Successfully deleted {DONE}", path=DONE),
    case("delete", f"Error: {NOT_FOUND.format(DONE)}", error=True, path=DONE),
    case("delete", f"Successfully deleted {DIR}", path=DIR),
    case("view", f"{NOT_FOUND.format(DIR)}.{ADVICE}", error=True, path=DIR),
]


class Memtape(BetaAbstractMemoryTool):
    """The SDK's interface of a memory, with a process of memtape behind it."""

    def __init__(self, command):
        super().__init__()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def pass_on(self, command):
        print(json.dumps(command.to_dict()), file=self.process.stdin, flush=True)
        reply = json.loads(self.process.stdout.readline())
        if reply["is_error"]:
            raise ToolError(reply["content"])
        return reply["content"]

    view = create = str_replace = insert = delete = rename = pass_on

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            raise AssertionError(f"memtape ended with status {self.process.returncode}")


def results(tool):
    """Runs all commands through the SDK's tool runner. Returns the text of each result and whether it is an error."""
    commands = iter(command for command, _, _ in CASES)
    found = []

    def model(request):
        said = json.loads(request.content)
        if said["tools"] != [{"type": "memory_20250818", "name": "memory"}]:
            raise AssertionError(f"the tools are {said['tools']}")
        for block in said["messages"][-1]["content"]:
            if isinstance(block, dict) and block["type"] == "tool_result":
                content = block["content"]
                text = content if isinstance(content, str) else "".join(part["text"] for part in content)
                found.append((text, block.get("is_error", False)))
        command = next(commands, None)
        content = {"type": "text", "text": "Done."}
        if command is not None:
            content = {"type": "tool_use", "id": f"toolu_{len(found)}", "name": "memory", "input": command}
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "model",
            "content": [content],
            "stop_reason": "end_turn" if command is None else "tool_use",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        return httpx2.Response(200, json=message)

    http = httpx2.Client(transport=httpx2.MockTransport(model))
    client = Anthropic(api_key="none", base_url="http://127.0.0.1", http_client=http, max_retries=0)
    messages = [{"role": "user", "content": "Use your memory."}]
    # Without a thread, a request has all messages and the tools.
    client.beta.messages.tool_runner(
        model="model", max_tokens=1, messages=messages, tools=[tool], thread=False
    ).until_done()
    return found


def compare(whose, found, expected):
    for (command, _, _), got, wanted in zip(CASES, found, expected, strict=True):
        if got != wanted:
            raise AssertionError(f"{whose} answers {command} with\n{got}\ninstead of\n{wanted}")


def without_sizes(result):
    text, error = result
    lines = [f"SIZE\t{DIR}" if line.endswith(f"\t{DIR}") else line for line in text.split("\n")]
    return "\n".join(lines), error


if __name__ == "__main__":
    memtape = Memtape(sys.argv[2:])
    compare("memtape", results(memtape), [documented for _, documented, _ in CASES])
    memtape.close()
    own = results(BetaLocalFilesystemMemoryTool(sys.argv[1]))
    compare("the SDK", [without_sizes(result) for result in own], [sdk for _, _, sdk in CASES])
    print(len(CASES))
