// Fix and check in a shell: an operator's agent finds why a site is down, changes the configuration and proves that it is up.
import { createAgent } from 'langchain';
import { z } from 'zod';

const FAULTS = {
  port: {
    sign: 'bind() to 0.0.0.0:80 failed (98: Address already in use)',
    look: 'ss -ltnp | grep :80',
    seen: 'LISTEN 0 511 *:80 users:(("httpd",pid=4121,fd=4))',
    fix: 'systemctl disable --now httpd',
    note: 'An old httpd held port 80; it is stopped and disabled.',
  },
  brace: {
    sign: 'unexpected end of file, expecting "}" in /etc/nginx/conf.d/shop.conf:31',
    look: 'tail -n 6 /etc/nginx/conf.d/shop.conf',
    seen: '  location /img/ {\n    root /srv/shop;\n    expires 7d;\n  }\n',
    fix: "printf '}\\n' >> /etc/nginx/conf.d/shop.conf",
    note: 'shop.conf lacked its closing brace.',
  },
  cert: {
    sign: 'cannot load certificate "/etc/ssl/shop.pem": No such file or directory',
    look: 'ls -l /etc/ssl',
    seen: '-rw-r--r-- 1 root root 5566 Mar  1 03:11 shop-2026.pem',
    fix: 'ln -s shop-2026.pem /etc/ssl/shop.pem',
    note: 'The renewed certificate has a new name; a link shop.pem points to it now.',
  },
  disk: {
    sign: 'open() "/var/log/nginx/access.log" failed (28: No space left on device)',
    look: 'du -xsh /var/log/* | sort -h | tail -3',
    seen: '1.1M /var/log/apt\n88M /var/log/journal\n41G /var/log/shop-debug.log',
    fix: 'truncate -s 0 /var/log/shop-debug.log',
    note: 'A debug log of 41 GB had filled the disk; it is emptied.',
  },
};

export default {
  pattern: 'fix and check',
  healthy: [
    { faults: ['port'] },
    { faults: ['brace'] },
    { faults: ['cert'] },
    { faults: ['disk'] },
    { faults: ['brace', 'cert'] },
    { faults: ['disk', 'port', 'brace'] },
    { faults: ['port', 'cert'], German: true },
  ],
  failing: [
    {
      faults: ['cert', 'port'],
      early: true,
      fault: 'nginx still fails after the first fix and the agent reports the site as up',
      agent: 'operator',
      step: 'answer',
      expect: ['quality_gate', 'grounding', 'hallucination', 'completion', 'reasoning_action_mismatch'],
    },
    {
      faults: ['brace'],
      useless: true,
      fault: 'restarts nginx again and again without a change',
      agent: 'operator',
      step: 'shell',
      expect: ['loop', 'tool_failure'],
    },
  ],
  model({ calls, result }, { faults, early, useless, German }) {
    const run = (command, text = '') => ({ text, call: ['shell', { command }] });
    if (calls.length === 0)
      return run('curl -sS -o /dev/null -w "%{http_code}" http://localhost/ ; systemctl is-active nginx');
    const { command } = calls.at(-1).args;
    const done = calls.filter(({ args }) => Object.values(FAULTS).some(({ fix }) => fix === args.command)).length;
    const current = FAULTS[faults[done]];
    if (useless) return calls.length > 11 ? 'nginx does not start. I do not know why.' : run('systemctl restart nginx');
    if (command.startsWith('curl') && result.startsWith('200')) {
      const notes = faults.map((key) => FAULTS[key].note).join(' ');
      return German
        ? `Der Shop antwortet wieder mit 200. Ursachen: ${notes}`
        : `The shop answers with 200 again. ${notes}`;
    }
    if (command.startsWith('curl'))
      return run('nginx -t 2>&1; journalctl -u nginx -n 3 --no-pager', 'nginx is not running, so I ask it why.');
    if (command.startsWith('nginx -t'))
      return current ? run(current.look) : run('curl -sS -o /dev/null -w "%{http_code}" http://localhost/');
    if (current && command === current.look) return run(current.fix, 'That explains the message.');
    if (command === 'systemctl restart nginx') {
      if (early) return 'The certificate is linked again, nginx runs and the shop is up.';
      return result.includes('failed')
        ? run('nginx -t 2>&1; journalctl -u nginx -n 3 --no-pager')
        : run('curl -sS -o /dev/null -w "%{http_code}" http://localhost/ ');
    }
    return run('systemctl restart nginx');
  },
  async run({ chat, tool }, { faults }) {
    const open = [...faults];
    const shell = tool('shell', 'Runs a command on the web server', { command: z.string() }, ({ command }) => {
      const [now] = open.map((key) => FAULTS[key]);
      if (now && command === now.fix) return void open.shift() ?? '(no output)';
      if (now && command === now.look) return now.seen;
      if (command.startsWith('curl'))
        return now ? 'curl: (7) Failed to connect to localhost port 80\n000\nfailed' : '200';
      if (command.startsWith('nginx -t'))
        return now
          ? `nginx: [emerg] ${now.sign}\nnginx: configuration file /etc/nginx/nginx.conf test failed`
          : 'nginx: configuration file /etc/nginx/nginx.conf test is successful';
      return now ? 'Job for nginx.service failed because the control process exited with error code.' : '(no output)';
    });
    const agent = createAgent({
      model: chat(),
      tools: [shell],
      name: 'operator',
      systemPrompt: 'You operate a web server over a shell. Find the cause, repair it, and check from outside.',
    });
    await agent.invoke(
      {
        messages: [
          {
            role: 'user',
            content: 'shop.example is down since four this morning. Please get it up again and tell me what it was.',
          },
        ],
      },
      { recursionLimit: 60 },
    );
  },
};
