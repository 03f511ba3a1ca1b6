// Calls an MCP server with the official TypeScript SDK: every tool, every resource and every prompt.
//
// Usage: node mcp_client.mjs CALLS PROTOCOL URL            with the bearer token in $TOKEN
//        node mcp_client.mjs CALLS PROTOCOL COMMAND...     over standard input and output
//
// CALLS is calls.json. PROTOCOL is the version that client and server must agree on.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [path, protocol, command, ...args] = process.argv.slice(2);
const calls = JSON.parse(readFileSync(path, "utf8"));

function connection() {
    if (!command.startsWith("http://")) return new StdioClientTransport({ command, args });
    const headers = { Authorization: `Bearer ${process.env.TOKEN}` };
    return new StreamableHTTPClientTransport(new URL(command), { requestInit: { headers } });
}

/** Returns the items of all pages of a list. */
async function every(list, items) {
    const found = [];
    let cursor;
    do {
        const page = await list({ cursor });
        found.push(...page[items]);
        cursor = page.nextCursor;
    } while (cursor !== undefined);
    return found;
}

async function call({ tool, arguments: passed, says }, isError) {
    const result = await client.callTool({ name: tool, arguments: passed });
    const text = result.content.map((block) => block.text).join("");
    const about = `${tool} ${JSON.stringify(passed)} got ${JSON.stringify(result)}`;
    assert.equal(result.isError ?? false, isError, about);
    assert.ok(text.includes(says), about);
}

// Only the transport is told which version was agreed on.
const transport = connection();
let negotiated;
transport.setProtocolVersion = ((set) => (version) => {
    negotiated = version;
    set?.call(transport, version);
})(transport.setProtocolVersion);
const client = new Client({ name: "conformance", version: "1" });
await client.connect(transport);
assert.equal(negotiated, protocol);

const tools = await every((page) => client.listTools(page), "tools");
const called = new Set(calls.calls.map(({ tool }) => tool));
assert.deepEqual(tools.map(({ name }) => name).sort(), [...called].sort(), "the tools that are listed");
for (const one of calls.calls) await call(one, false);
for (const one of calls.errors) await call(one, true);

const resources = await every((page) => client.listResources(page), "resources");
const uris = resources.map(({ uri }) => uri);
for (const uri of Object.keys(calls.resources)) assert.ok(uris.includes(uri), `${uri} is not in ${uris}`);
for (const uri of uris) {
    const { contents } = await client.readResource({ uri });
    assert.equal(contents.length, 1, uri);
    assert.equal(contents[0].uri, uri);
    assert.ok(contents[0].text.includes(calls.resources[uri] ?? ""), `${uri} is ${contents[0].text}`);
}
await assert.rejects(client.readResource({ uri: calls.missing_resource }), { code: -32002 });
const templates = await every((page) => client.listResourceTemplates(page), "resourceTemplates");

const prompts = await every((page) => client.listPrompts(page), "prompts");
assert.deepEqual(prompts.map(({ name }) => name).sort(), Object.keys(calls.prompts).sort());
for (const [name, prompt] of Object.entries(calls.prompts)) {
    const { messages } = await client.getPrompt({ name, arguments: prompt.arguments });
    const text = messages.map(({ content }) => content.text).join("");
    assert.ok(text.includes(prompt.says), `the prompt ${name} is ${text}`);
}
await client.close();
console.log(
    `${tools.length} tools, ${resources.length} resources, ${templates.length} templates and ` +
        `${prompts.length} prompts`,
);
