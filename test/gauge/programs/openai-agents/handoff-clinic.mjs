// Hand-off: the reception of a veterinary clinic passes callers to booking, billing or a person.
import { Agent } from '@openai/agents';
import { z } from 'zod';

const CASES = {
  booking: { tool: ['free_slots', { animal: 'cat' }], slots: ['Tue 9:20', 'Wed 16:40'] },
};

export default {
  pattern: 'hand-off',
  healthy: [
    {
      ask: 'My cat Miso has been limping since Sunday. When can someone look at her?',
      to: 'booking',
      animal: 'cat',
      say: 'Dr. Okafor can see Miso on Tuesday at 9:20 or on Wednesday at 16:40. Which one suits you?',
    },
    {
      ask: 'I was charged twice for the vaccination of our beagle, invoice 20931.',
      to: 'billing',
      invoice: 20931,
      say: 'You are right: invoice 20931 was paid on 3 and on 5 March. The second payment goes back to your card within five days.',
    },
    {
      ask: 'The invoice 20877 says “sundry materials, 41.00”. What is that?',
      to: 'billing',
      invoice: 20877,
      say: 'The 41.00 on invoice 20877 is for the splint and two dressings.',
    },
    {
      ask: 'Could you fit in a rabbit for nail clipping this week?',
      to: 'booking',
      animal: 'rabbit',
      say: 'Yes, Thursday at 11:00 is free for the rabbit; shall I put you down?',
    },
    {
      ask: 'I would rather speak to a human about the complaint I filed.',
      to: 'person',
      say: 'Of course. Maren from the front desk will ring you within the hour about your complaint.',
    },
    { ask: 'What are your opening hours on Saturdays?', to: null, say: 'On Saturdays we are open from 9 to 13.' },
    {
      ask: 'Bonjour, mon chien a avalé une chaussette, que faire ?',
      to: 'person',
      say: 'Une vétérinaire vous rappelle tout de suite. Ne le faites pas vomir en attendant.',
    },
    {
      ask: 'Please move the tortoise appointment; I have an exam that day.',
      to: 'booking',
      animal: 'tortoise',
      say: 'No problem. For the tortoise there is Friday at 8:40 instead.',
    },
  ],
  failing: [
    {
      ask: 'Invoice 20999 has the wrong name on it; please correct it to Ilse Brandt.',
      to: 'billing',
      invoice: 20999,
      lost: true,
      say: 'Hello! How can we help you and your pet today?',
      fault: 'the request is lost in the hand-off: billing greets and ends',
      agent: 'billing',
      step: 'answer',
      expect: ['coordination', 'communication', 'context_neglect', 'withholding', 'completion'],
    },
  ],
  model({ system, calls }, { to, animal, invoice, say, lost }) {
    if (system.startsWith('Reception')) {
      if (to === null) return say;
      return { call: [`transfer_to_${to === 'person' ? 'front_desk' : to}`, {}] };
    }
    if (system.startsWith('Front desk')) {
      const made = calls.find(({ name }) => name === 'page_colleague');
      return made ? say : { call: ['page_colleague', { reason: 'caller asks for a person' }] };
    }
    if (lost) return say;
    if (system.startsWith('Booking') && !calls.some(({ name }) => name === 'free_slots'))
      return { call: ['free_slots', { animal }] };
    if (system.startsWith('Billing') && !calls.some(({ name }) => name === 'read_invoice'))
      return { call: ['read_invoice', { number: invoice }] };
    return say;
  },
  async run({ run, tool, withTrace }, { ask }) {
    const slots = { cat: CASES.booking.slots, rabbit: ['Thu 11:00'], tortoise: ['Fri 8:40', 'Fri 17:20'] };
    const invoices = {
      20931: 'paid 2026-03-03 58.00 card; paid 2026-03-05 58.00 card; amount due 58.00',
      20877: 'consultation 52.00; splint 29.00; dressings (2) 12.00; printed as: sundry materials 41.00',
      20999: 'holder: Ilse Brand; total 77.50; open',
    };
    const agent = (name, instructions, more) => new Agent({ name, instructions, model: 'gpt-4o', ...more });
    const booking = agent('booking', 'Booking: offer free slots.', {
      tools: [
        tool('free_slots', 'Free appointments of this week', { animal: z.string() }, ({ animal }) =>
          slots[animal].join(', '),
        ),
      ],
    });
    const billing = agent('billing', 'Billing: read the invoice, explain or correct it.', {
      tools: [
        tool('read_invoice', 'An invoice with its payments', { number: z.number() }, ({ number }) => invoices[number]),
      ],
    });
    const frontDesk = agent('front_desk', 'Front desk: call a colleague to the phone.', {
      tools: [
        tool(
          'page_colleague',
          'Calls a person of the clinic',
          { reason: z.string() },
          () => 'Paged: Maren (front desk), line 2',
        ),
      ],
    });
    const reception = agent(
      'reception',
      'Reception of the Lindenhof animal clinic. Hand over; answer only opening hours (Mon–Fri 8–18, Sat 9–13).',
      {
        handoffs: [booking, billing, frontDesk],
      },
    );
    await withTrace('Clinic call', () => run(reception, ask), { groupId: `call-${ask.length}` });
  },
};
