// Lets the reference memory server write a graph.
//
// Usage: node memory_server.mjs FILE

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

async function call(name, passed) {
    const result = await client.callTool({ name, arguments: passed });
    assert.ok(!result.isError, `${name} got ${JSON.stringify(result)}`);
}

await call("create_entities", {
    entities: [
        { name: "Ana Ruiz", entityType: "person", observations: ["Is allergic to cashews", "喜欢绿茶"] },
        { name: "Nordkust AB", entityType: "company", observations: [] },
        { name: "Old plan", entityType: "project", observations: ["is deleted again"] },
    ],
});
await call("create_relations", {
    relations: [
        { from: "Ana Ruiz", to: "Nordkust AB", relationType: "works_at" },
        { from: "Ana Ruiz", to: "Old plan", relationType: "works_at" },
    ],
});
await call("add_observations", {
    observations: [{ entityName: "Nordkust AB", contents: ["Sitzt in Nynäshamn"] }],
});
await call("delete_entities", { entityNames: ["Old plan"] });
await client.close();
