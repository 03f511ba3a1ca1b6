// Prints the graph that the reference memory server reads from a file, as JSON.
//
// Usage: node memory_graph.mjs FILE

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const server = new URL("./node_modules/@modelcontextprotocol/server-memory/dist/index.js", import.meta.url);
const transport = new StdioClientTransport({
    command: process.execPath,
    args: [server.pathname],
    env: { ...process.env, MEMORY_FILE_PATH: process.argv[2] },
});
const client = new Client({ name: "conformance", version: "1" });
await client.connect(transport);
const result = await client.callTool({ name: "read_graph", arguments: {} });
assert.ok(!result.isError, `read_graph got ${JSON.stringify(result)}`);
console.log(result.content[0].text);
await client.close();
