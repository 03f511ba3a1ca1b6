"""Calls an MCP server with the official Python SDK: every tool, every resource and every prompt.

Usage: mcp_client.py CALLS PROTOCOL URL            with the bearer token in $TOKEN
       mcp_client.py CALLS PROTOCOL COMMAND...     over standard input and output

CALLS is calls.json. PROTOCOL is the version that client and server must agree on.
"""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

# How long a response may take, in seconds.
TIMEOUT = 60


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


async def every(listed, items):
    """Returns the items of all pages of a list."""
    found, cursor = [], None
    while True:
        page = await listed(cursor=cursor)
        found += getattr(page, items)
        cursor = page.next_cursor
        if cursor is None:
            return found


async def call(client, call, is_error):
    result = await client.call_tool(call["tool"], call["arguments"])
    text = "".join(block.text for block in result.content)
    expect(result.is_error is is_error and call["says"] in text, f"{call} got {result}")


async def check(client, calls):
    tools = {tool.name for tool in await every(client.list_tools, "tools")}
    called = {call["tool"] for call in calls["calls"]}
    expect(tools == called, f"these tools are not listed, or not called: {sorted(tools ^ called)}")
    for one in calls["calls"]:
        await call(client, one, is_error=False)
    for one in calls["errors"]:
        await call(client, one, is_error=True)

    resources = [resource.uri for resource in await every(client.list_resources, "resources")]
    expect(set(calls["resources"]) <= set(resources), f"resources are missing: {resources}")
    for uri in resources:
        [content] = (await client.read_resource(uri)).contents
        expect(content.uri == uri and calls["resources"].get(uri, "") in content.text, f"{uri} is {content}")
    try:
        read = await client.read_resource(calls["missing_resource"])
    except MCPError:
        read = None
    expect(read is None, f"a missing resource was read: {read}")
    templates = await every(client.list_resource_templates, "resource_templates")

    prompts = [prompt.name for prompt in await every(client.list_prompts, "prompts")]
    expect(set(prompts) == set(calls["prompts"]), f"the prompts are {prompts}")
    for name, prompt in calls["prompts"].items():
        got = await client.get_prompt(name, prompt["arguments"])
        text = "".join(message.content.text for message in got.messages)
        expect(prompt["says"] in text, f"the prompt {name} is {got}")
    return f"{len(tools)} tools, {len(resources)} resources, {len(templates)} templates and {len(prompts)} prompts"


async def main(path, protocol, target):
    with open(path, encoding="utf-8") as file:
        calls = json.load(file)
    mode = "auto" if protocol in MODERN_PROTOCOL_VERSIONS else "legacy"
    if target[0].startswith("http://"):
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        async with httpx2.AsyncClient(headers=headers, timeout=TIMEOUT) as http:
            transport = streamable_http_client(target[0], http_client=http)
            async with Client(transport, mode=mode, read_timeout_seconds=TIMEOUT) as client:
                return client.protocol_version, await check(client, calls)
    server = StdioServerParameters(command=target[0], args=target[1:])
    async with Client(server, mode=mode, read_timeout_seconds=TIMEOUT) as client:
        return client.protocol_version, await check(client, calls)


if __name__ == "__main__":
    version, found = asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
    expect(version == sys.argv[2], f"the protocol is {version}")
    print(found)
