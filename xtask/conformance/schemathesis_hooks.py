"""Tells schemathesis what the OpenAPI document does not: the schemas of the tools, and which paths and ids exist."""

import copy
import json
import os
import urllib.request

import schemathesis

TOOL = "/v1/tools/{name}"
STORES = "/v1/memory_stores"


def get(path):
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
    request = urllib.request.Request(os.environ["URL"] + path, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def ids(path):
    return [item["id"] for item in get(path)["data"]]


@schemathesis.hook
def before_load_schema(context, raw_schema):
    paths = raw_schema["paths"]
    # A stream has no end to wait for.
    del paths["/v1/events"]
    any_tool = paths[TOOL]["post"]
    for tool in get("/v1/tools")["tools"]:
        operation = copy.deepcopy(any_tool)
        operation["operationId"] += "_" + tool["name"]
        operation["parameters"] = []
        operation["requestBody"]["content"]["application/json"]["schema"] = tool["input_schema"]
        paths[TOOL.replace("{name}", tool["name"])] = {"post": operation}

    [store] = ids(STORES)
    known = {
        "name": ["goals", "persona"],
        "path": ["facts/user.md", "insights/two words.md"],
        "ref": ["ledger:c8cd02e8a340cb88", "notes:facts/user.md", "files:insights/two words.md", "blocks:goals"],
        "memory_store_id": [store],
        "memory_id": ids(f"{STORES}/{store}/memories"),
        "memory_version_id": ids(f"{STORES}/{store}/memory_versions"),
    }
    for operation in (operation for methods in paths.values() for operation in methods.values()):
        for parameter in operation["parameters"]:
            if parameter["in"] == "path":
                parameter["schema"]["enum"] = known[parameter["name"]]
