// @modelcontextprotocol/sdk, the official client of version 1.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ask, server } from './ask.mjs';

await ask(new Client({ name: 'workshop', version: '1.0.0' }), new StdioClientTransport(server));
