// @modelcontextprotocol/client, the official client of version 2.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ask, server } from './ask.mjs';

await ask(new Client({ name: 'workshop', version: '1.0.0' }), new StdioClientTransport(server));
