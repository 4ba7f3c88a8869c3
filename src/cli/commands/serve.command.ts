import type { Command } from 'commander';
import type { AddCommand } from '../add-command.ts';
import type { ServeFlags } from '../serve/serve-config.ts';

export const addServe: AddCommand = (program, start) => {
  program
    .command('serve')
    .description(
      'Serve the HTTP API, and analyze traces as they settle. With --tenant NAME, the first start creates this tenant and prints its API key.',
    )
    .option('--host <address>', 'address to listen on (MISSTEP_HOST, default 127.0.0.1)')
    .option('--port <number>', 'port; 0 takes any free one (MISSTEP_PORT, default 4319)')
    .option(
      '--durability <mode>',
      'normal survives a killed process, full a power cut (MISSTEP_DURABILITY, default normal)',
    )
    .option(
      '--public-url <url>',
      'address under which people open the dashboard, with the path that a proxy adds; links, cookies and the allowed host follow it (MISSTEP_PUBLIC_URL, default: the address it listens on)',
    )
    .option('--allow-host <names...>', 'names under which clients may address the server (MISSTEP_ALLOW_HOST)')
    .option('--cors-origin <origins...>', 'origins of other sites whose pages may call the API (MISSTEP_CORS_ORIGIN)')
    .option('--trust-proxy <addresses...>', 'proxies whose X-Forwarded-For is trusted (MISSTEP_TRUST_PROXY)')
    .option('--rate-limit <on|off>', 'limit requests (MISSTEP_RATE_LIMIT, default on)')
    .option(
      '--redact <kinds>',
      'what to redact before storing: secrets, personal-data, both with a comma, or off (MISSTEP_REDACT, default secrets)',
    )
    .option('--judge-url <url>', 'endpoint of a model for uncertain detections (MISSTEP_JUDGE_URL)')
    .option('--judge-model <name>', 'name of the model; without it, no model is called (MISSTEP_JUDGE_MODEL)')
    .option('--judge-provider <openai|anthropic>', 'protocol of the endpoint (MISSTEP_JUDGE_PROVIDER, default openai)')
    .option(
      '--metrics-listen <host:port>',
      'loopback address where /metrics shows the instance without a credential (MISSTEP_METRICS_LISTEN)',
    )
    .option(
      '--min-free <size>',
      'reject writes while less disk space is free, e.g. 1GiB; 0 turns it off (MISSTEP_MIN_FREE, default 256MiB)',
    )
    .option('--retention <days>', 'delete traces this many days after they arrive (MISSTEP_RETENTION, default off)')
    .option(
      '--healing-root <folders...>',
      'folders whose files healing may change, of one tenant as TENANT_ID=FOLDER (MISSTEP_HEALING_ROOT)',
    )
    .option('--open-registration', 'let anyone register tenants, from anywhere')
    .option(
      '--allow-private-webhooks <blocks...>',
      'non-public networks (CIDR) that alert webhooks may address (MISSTEP_ALLOW_PRIVATE_WEBHOOKS)',
    )
    .option(
      '--allow-private-platforms <blocks...>',
      'non-public networks (CIDR) that registered platforms may be in (MISSTEP_ALLOW_PRIVATE_PLATFORMS)',
    )
    .action(async (flags: ServeFlags, command: Command) => {
      await start(command, async (context) => (await import('../serve/serve.ts')).serve(context, flags));
    });
};
