import type { Json } from '../../core/json.ts';
import type { DemoRun } from './demo-run.ts';

/** An order workflow in which the discount node turns the total into text, and the next one loses the address. */
export const orderWorkflow: DemoRun = {
  name: 'order workflow',
  service: 'order-flow',
  scope: 'langgraph',
  record(run) {
    const base = {
      order_id: 'o-4471',
      customer_id: 'c-902',
      address: '12 Quay Street, Bergen',
      items: 3,
      total: 41.5,
      note: 'new',
    };
    const states: [string, Record<string, Json>][] = [
      ['intake', base],
      ['pricing', { ...base, total: 44.2, note: 'priced' }],
      ['discount', { ...base, total: '39.78 EUR', note: 'discounted' }],
      ['shipping', { order_id: 'o-4471', customer_id: 'c-902', items: 3, total: '39.78 EUR', note: 'shipped' }],
      ['confirmation', { order_id: 'o-4471', customer_id: 'c-902', items: 3, total: '39.78 EUR', note: 'confirmed' }],
    ];
    const thread = { 'langgraph.thread_id': 'order-4471' };
    run.span({ name: 'order workflow', attributes: thread }, () => {
      for (const [node, state] of states) {
        const attributes = { ...thread, 'langgraph.node': node, 'langgraph.state': JSON.stringify(state) };
        run.span({ name: node, attributes, ms: 240 });
      }
    });
  },
};
