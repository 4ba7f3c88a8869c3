/** Workflows of a bicycle shop for a real n8n, in the form of `n8n import:workflow`. */

interface Node {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: object;
  [more: string]: unknown;
}

type Links = Record<string, Record<string, { node: string; type: string; index: number }[][]>>;

export interface Workflow {
  id: string;
  name: string;
  nodes: Node[];
  connections: Links;
  settings: object;
}

export interface WorkflowPlaces {
  /** `http://127.0.0.1:PORT` of the scripted model. */
  model: string;
  /** Token webhooks of Misstep. */
  errors: string;
  reports: string;
  /** An address that responds only after a minute. */
  slow: string;
}

export const CREDENTIAL_ID = 'shopModel0000001';
/** Nothing listens on the discard port. */
const UNREACHABLE_URL = 'http://127.0.0.1:9/orders';

const node = (name: string, type: string, typeVersion: number, parameters: object, more: object = {}): Node => ({
  id: name.toLowerCase().replaceAll(' ', '-'),
  name,
  type,
  typeVersion,
  position: [0, 0],
  parameters,
  ...more,
});
const hook = (path: string) =>
  node(
    'Webhook',
    'n8n-nodes-base.webhook',
    2,
    { path, httpMethod: 'POST', responseMode: 'lastNode', options: {} },
    {
      webhookId: path,
    },
  );
const code = (name: string, jsCode: string) => node(name, 'n8n-nodes-base.code', 2, { jsCode });
const http = (name: string, url: string, jsonBody: string, more: object = {}) =>
  node(
    name,
    'n8n-nodes-base.httpRequest',
    4.2,
    { method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody, options: {} },
    more,
  );
const set = (name: string, values: Record<string, string>) =>
  node(name, 'n8n-nodes-base.set', 3.4, {
    assignments: {
      assignments: Object.entries(values).map(([key, value], at) => ({
        id: `${at}`,
        name: key,
        value,
        type: 'string',
      })),
    },
    includeOtherFields: true,
    options: {},
  });
const link = (target: string, type = 'main') => ({ node: target, type, index: 0 });
const chain = (nodes: readonly Node[]): Links =>
  Object.fromEntries(
    nodes.slice(0, -1).map(({ name }, at) => [name, { main: [[link((nodes[at + 1] as Node).name)]] }]),
  );
const workflow = (id: string, name: string, nodes: Node[], connections = chain(nodes), settings = {}): Workflow => ({
  id: id.padEnd(16, '0'),
  name,
  nodes,
  connections,
  settings: { executionOrder: 'v1', ...settings },
});

export function shopWorkflows({ model, errors, reports, slow }: WorkflowPlaces): Workflow[] {
  const reporter = workflow('errorReporter', 'Error reporter', [
    node('Error Trigger', 'n8n-nodes-base.errorTrigger', 1, {}),
    http('Report the error', errors, '={{ JSON.stringify($json) }}'),
  ]);
  const lastNode =
    '={{ JSON.stringify({ executionId: $execution.id, workflowId: $workflow.id, workflowName: $workflow.name, data: $json }) }}';
  const child = workflow('child', 'Book one order', [
    node('When called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
    code(
      'Book',
      "if ($input.first().json.order === 2) throw new Error('order 2 has no address'); return $input.all();",
    ),
  ]);
  return [
    workflow('healthy', 'Healthy orders', [
      hook('healthy'),
      set('Prepare', { customer: '={{ $json.body.customer }}' }),
      code('Split', 'return [1, 2, 3].map((order) => ({ json: { order, customer: $input.first().json.customer } }));'),
      set('Done', { state: 'packed' }),
    ]),
    workflow('failing', 'Failing orders', [
      hook('failing'),
      code('Parse', 'const order = undefined; return [{ json: { lines: order.lines } }];'),
      set('Never', { state: 'packed' }),
    ]),
    reporter,
    workflow(
      'withHandler',
      'Orders with an error workflow',
      [hook('handled'), http('Call warehouse', UNREACHABLE_URL, '={}')],
      undefined,
      {
        errorWorkflow: reporter.id,
      },
    ),
    workflow('lastNode', 'Weekly report', [
      hook('report'),
      set('Prepare', { report: 'weekly' }),
      http('Report the run', reports, lastNode),
    ]),
    agent('agent', 'Stock agent', model, "return 'BP-204: 7 sets in stock'"),
    agent(
      'brokenAgent',
      'Stock agent with a broken tool',
      model,
      "throw new Error('connect ECONNREFUSED 10.20.0.7:5432')",
    ),
    child,
    loop(child.id),
    workflow('retry', 'Retried call', [
      hook('retry'),
      http(
        'Ask model',
        `${model}/v1/chat/completions`,
        '={"model":"gpt-4o","messages":[{"role":"user","content":"too many requests"}]}',
        {
          retryOnFail: true,
          maxTries: 3,
          waitBetweenTries: 100,
        },
      ),
    ]),
    workflow(
      'timeoutWait',
      'Waits too long',
      [hook('waiting'), node('Wait', 'n8n-nodes-base.wait', 1.1, { amount: 20 }, { webhookId: 'wait' })],
      undefined,
      { executionTimeout: 2 },
    ),
    workflow(
      'timeoutCall',
      'Slow warehouse',
      [hook('slow'), http('Call warehouse', slow, '={}'), code('After', 'return $input.all();')],
      undefined,
      { executionTimeout: 2 },
    ),
    workflow('errorOutput', 'Payment whose error output leads nowhere', [
      hook('payment'),
      http('Charge card', UNREACHABLE_URL, '={"amount":10}', { onError: 'continueErrorOutput' }),
      set('Done', { state: 'paid' }),
    ]),
  ];
}

function agent(path: string, name: string, model: string, jsCode: string): Workflow {
  const nodes = [
    hook(path),
    node('AI Agent', '@n8n/n8n-nodes-langchain.agent', 2, {
      promptType: 'define',
      text: '={{ $json.body.question }}',
      options: { systemMessage: 'You look after the stock.' },
    }),
    node(
      'OpenAI Chat Model',
      '@n8n/n8n-nodes-langchain.lmChatOpenAi',
      1.2,
      {
        model: { __rl: true, mode: 'id', value: 'gpt-4o' },
        responsesApiEnabled: false,
        options: { baseURL: `${model}/v1`, maxRetries: 0 },
      },
      { credentials: { openAiApi: { id: CREDENTIAL_ID, name: 'scripted model' } } },
    ),
    node('find_part', '@n8n/n8n-nodes-langchain.toolCode', 1.1, {
      name: 'find_part',
      description: 'Looks up a part in the stock list',
      jsCode,
      specifyInputSchema: false,
    }),
  ];
  return workflow(path, name, nodes, {
    Webhook: { main: [[link('AI Agent')]] },
    'OpenAI Chat Model': { ai_languageModel: [[link('AI Agent', 'ai_languageModel')]] },
    find_part: { ai_tool: [[link('AI Agent', 'ai_tool')]] },
  });
}

function loop(child: string): Workflow {
  const nodes = [
    hook('loop'),
    code('Orders', 'return [1, 2, 3].map((order) => ({ json: { order } }));'),
    node('Loop Over Items', 'n8n-nodes-base.splitInBatches', 3, { options: {} }),
    node(
      'Book order',
      'n8n-nodes-base.executeWorkflow',
      1.2,
      {
        workflowId: { __rl: true, mode: 'id', value: child },
        workflowInputs: { mappingMode: 'defineBelow', value: {} },
        options: {},
      },
      { onError: 'continueRegularOutput' },
    ),
  ];
  return workflow('loop', 'Loop with a sub-workflow', nodes, {
    Webhook: { main: [[link('Orders')]] },
    Orders: { main: [[link('Loop Over Items')]] },
    'Loop Over Items': { main: [[], [link('Book order')]] },
    'Book order': { main: [[link('Loop Over Items')]] },
  });
}

/** The key of the scripted model, in the form of `n8n import:credentials`. */
export const credentialsOf = (model: string): object[] => [
  { id: CREDENTIAL_ID, name: 'scripted model', type: 'openAiApi', data: { apiKey: 'sk-fake', url: `${model}/v1` } },
];
