// Structured answers: waybills in several languages become objects; a second call checks them against the port register.
import { generateText, isStepCount, Output } from 'ai';
import { z } from 'zod';

const Waybill = z.object({
  shipper: z.string(),
  port: z.string(),
  code: z.string(),
  pieces: z.number(),
  kilos: z.number(),
  hazard: z.string().nullable(),
});
const PORTS = { Klaipėda: 'LTKLJ', Vigo: 'ESVGO', 青島: 'CNTAO', Πειραιάς: 'GRPIR', Rijeka: 'HRRJK', Bergen: 'NOBGO' };

export default {
  pattern: 'structured answers',
  healthy: [
    {
      text: 'UAB Šermukšnis siunčia į Klaipėdą 14 dėžių, iš viso 820 kg, be pavojingų medžiagų.',
      out: { shipper: 'UAB Šermukšnis', port: 'Klaipėda', pieces: 14, kilos: 820, hazard: null },
    },
    {
      text: 'Conservas Ría Baixa, con destino Vigo: 96 bultos, 2.304 kilos. Nada peligroso.',
      out: { shipper: 'Conservas Ría Baixa', port: 'Vigo', pieces: 96, kilos: 2304, hazard: null },
    },
    {
      text: '荷主は山崎塗料。青島港まで缶40個、560キロ。引火性、UN1263。',
      out: { shipper: '山崎塗料', port: '青島', pieces: 40, kilos: 560, hazard: 'UN1263' },
    },
    {
      text: 'Αποστολέας: Ελαιώνες Μάνης. Λιμάνι: Πειραιάς. Τεμάχια 18, βάρος 1.350 κιλά.',
      out: { shipper: 'Ελαιώνες Μάνης', port: 'Πειραιάς', pieces: 18, kilos: 1350, hazard: null },
    },
    {
      text: 'Pošiljatelj Lavanda d.o.o., luka Rijeka, 7 paleta, 3100 kg.',
      out: { shipper: 'Lavanda d.o.o.', port: 'Rijeka', pieces: 7, kilos: 3100, hazard: null },
    },
    {
      text: 'Nordlys Batteri AS til Bergen: 3 kolli, 412 kg, UN3480.',
      out: { shipper: 'Nordlys Batteri AS', port: 'Bergen', pieces: 3, kilos: 412, hazard: 'UN3480' },
    },
  ],
  failing: [
    {
      text: 'Dacă Transilvania SRL, portul Rijeka, 22 colete, 1.980 kg, UN1950 aerosoli.',
      out: { shipper: 'Dacă Transilvania SRL', port: 'Rijeka', pieces: 22, kilos: 1980, hazard: 'UN1950' },
      chatty: 'The waybill lists 22 pieces for Rijeka with a weight of 1,980 kg; they are aerosols.',
      fault: 'answers with a sentence where the schema asks for an object',
      agent: 'waybill-reader',
      step: 'answer',
      expect: ['output_validation', 'specification'],
    },
    {
      text: 'Fabryka Mebli Dąb, port Klaipėda, 31 sztuk, 4.260 kg.',
      out: { shipper: 'Fabryka Mebli Dąb', port: 'Klaipėda', pieces: 13, kilos: 4260, hazard: null, code: 'LTVNO' },
      fault: 'writes a port code that the register did not give',
      agent: 'waybill-reader',
      step: 'answer',
      expect: ['grounding', 'hallucination', 'output_validation'],
    },
  ],
  model({ calls, result }, { out, chatty }) {
    if (calls.length === 0) return { call: ['port_code', { port: out.port }] };
    return chatty ?? JSON.stringify({ code: JSON.parse(result).code, ...out });
  },
  run: ({ chat, tool, named }, { text }) =>
    generateText({
      model: chat(),
      system: 'Read the waybill. Look up the code of the port; leave the names as they are written.',
      prompt: text,
      stopWhen: isStepCount(4),
      tools: {
        port_code: tool('UN/LOCODE of a port', { port: z.string() }, ({ port }) => ({ port, code: PORTS[port] })),
      },
      output: Output.object({ schema: Waybill }),
      ...named('waybill-reader'),
    }).then(({ output }) => output),
};
