// Pipeline with long texts: notes of a walk become a chapter of a field guide, by way of a fact sheet, a draft and a proof.
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const DIPPER = {
  notes: `Weir below the paper mill, 7:10 to 9:40, minus two degrees, no wind. First dipper at 7:22 on the flat stone under the alder, second bird downstream at the pipe. The one under the alder dived eleven times in five minutes, longest dive nine seconds by my watch. It came up with what looked like caddis larvae, beat them on the stone, and let the cases lie; I counted fourteen empty cases afterwards. Song from 8:05 on, also from the pipe bird, although the calendar says 2 February. No nest yet, but the pipe bird carried moss once. Grey wagtail at 8:30. The miller says the pair has used the hole behind the fall since the flood wall was built in 1996. Water very clear, gauge at 41 cm.`,
  facts: `- place and time: weir below the paper mill, 2 February, 7:10 to 9:40, −2 °C, gauge 41 cm\n- birds: two dippers, one under the alder, one at the pipe; one grey wagtail\n- feeding: 11 dives in 5 minutes, longest 9 s; caddis larvae beaten on a stone, 14 empty cases\n- song from 8:05, both birds\n- breeding: moss carried once by the pipe bird; hole behind the fall used since 1996 (miller)`,
  draft: `The dipper keeps its own calendar. On the second of February, with ice along the bank and two degrees of frost, both birds at the paper mill were singing by five past eight, and one of them had already begun to carry moss. Whoever wants to watch a dipper feed should look for a flat stone in quick water and then stay put: the bird under the alder dived eleven times in five minutes, never for longer than nine seconds, and after most of its dives it came back to the same stone. There it beat what it had caught until the case broke. Fourteen empty cases of caddis larvae lay on that stone when it left. The pair is said to nest in the hole behind the fall, where dippers have bred since the flood wall was built in 1996. A clear stream at 41 centimetres is a good stream for them; after rain, when the water is brown, you may walk the whole mile to the bridge and see none.`,
  final: `THE DIPPER. The dipper keeps its own calendar. On 2 February, with two degrees of frost, both birds at the paper mill were in song by five past eight, and one was already carrying moss. To watch a dipper feed, find a flat stone in quick water and stay put. The bird under the alder dived eleven times in five minutes, for nine seconds at most, and came back to its stone to beat the catch until the case broke: fourteen empty cases of caddis larvae lay there when it left. Dippers have bred in the hole behind the fall since 1996, the miller says. Go when the stream is clear (the gauge stood at 41 centimetres); in brown water you may see none.`,
};
const MORCHEL = {
  notes: `19. April, Auwald beim Pegel, nach zwei warmen Nächten. Zwölf Speisemorcheln auf vielleicht dreißig Quadratmetern, fast alle unter Eschen, zwei unter einem alten Apfelbaum am Rand. Hüte honiggelb bis graubraun, der größte elf Zentimeter. Boden: sandiger Lehm, viel Bärlauch. Daneben zwei Verpeln, die ich erst für junge Morcheln hielt: der Hut hängt frei wie eine Glocke, im Längsschnitt sieht man es sofort. Keine Lorcheln gefunden. Bei drei Stücken war der Stiel unten angefressen. Die Eschen sehen schlecht aus, etwa jede dritte ist kahl. Letztes Jahr war hier am 27. April nichts mehr.`,
  facts: `- Ort und Zeit: Auwald beim Pegel, 19. April, nach zwei warmen Nächten\n- Funde: 12 Speisemorcheln auf rund 30 m², größte 11 cm; 2 Verpeln; keine Lorcheln\n- Begleiter: Eschen (10 Stück), alter Apfelbaum (2), Bärlauch; sandiger Lehm\n- Verwechslung: Verpel, Hut frei hängend, im Längsschnitt sichtbar\n- Zustand: jede dritte Esche kahl; Vorjahr am 27. April keine mehr`,
  draft: `Wer Speisemorcheln sucht, sucht zuerst Eschen. Zehn von zwölf Stücken, die ich am 19. April nach zwei warmen Nächten im Auwald beim Pegel fand, standen unter ihnen, die beiden übrigen unter einem alten Apfelbaum am Rand der Fläche. Der Boden war sandiger Lehm mit viel Bärlauch, die Hüte reichten von Honiggelb bis Graubraun, der größte maß elf Zentimeter. Vorsicht ist bei jungen Stücken geboten: Zwei Verpeln habe ich selbst erst auf den zweiten Blick erkannt. Bei ihnen hängt der Hut frei wie eine Glocke am Stiel, und ein Schnitt der Länge nach klärt die Frage sofort. Lange dauert die Zeit nicht. Im Vorjahr war am 27. April an derselben Stelle nichts mehr zu finden, und da inzwischen jede dritte Esche kahl ist, weiß niemand, wie viele Frühjahre es noch so bleibt.`,
  final: `SPEISEMORCHEL. Zuerst sucht man Eschen: Zehn von zwölf Stücken standen am 19. April, nach zwei warmen Nächten, im Auwald beim Pegel unter ihnen, zwei unter einem alten Apfelbaum. Sandiger Lehm mit Bärlauch, Hüte honiggelb bis graubraun, bis elf Zentimeter. Verwechslung: Bei der Verpel hängt der Hut frei wie eine Glocke; ein Längsschnitt zeigt es. Im Vorjahr war schon am 27. April nichts mehr zu finden. Jede dritte Esche ist kahl.`,
};
const TIDEPOOL = {
  notes: `4월 3일, 방파제 남쪽 갯바위, 간조 10시 52분, 물때 여덟 물. 웅덩이 세 곳을 보았다. 첫째: 풀게 여섯, 갯지렁이 하나, 수온 12도. 둘째: 군소 두 마리, 큰 것은 손바닥보다 길고 건드리자 보라색 물을 내뿜었다. 셋째: 말미잘 스물이 넘고 새끼 베도라치 하나. 파도가 11시 반부터 들이쳐서 그만두었다. 작년 이맘때보다 군소가 두 주쯤 이르다.`,
  facts: `- 장소와 때: 방파제 남쪽 갯바위, 4월 3일, 간조 10:52\n- 웅덩이 1: 풀게 6, 갯지렁이 1, 12도\n- 웅덩이 2: 군소 2, 보라색 물\n- 웅덩이 3: 말미잘 20 이상, 베도라치 새끼 1\n- 11:30부터 파도; 군소가 작년보다 두 주 이르다`,
  draft: `사월 초 간조에는 방파제 남쪽 바위가 책 한 권만큼 많은 것을 보여 준다. 첫 웅덩이에서는 풀게 여섯 마리가 돌 밑으로 숨었고, 물은 아직 12도였다. 둘째 웅덩이의 주인은 군소였다. 손바닥보다 긴 놈을 건드리면 보라색 물이 퍼지는데, 사람에게 해롭지는 않으나 손에 물이 든다. 작년보다 두 주 이르게 나온 셈이다. 셋째 웅덩이에는 말미잘이 스물 넘게 붙어 있고 그 사이로 베도라치 새끼가 지나갔다. 간조 뒤 사십 분이면 물이 다시 든다.`,
  final: `갯바위 웅덩이. 사월 초 간조(10시 52분)에 방파제 남쪽에서 볼 수 있는 것: 풀게, 군소, 말미잘, 베도라치 새끼. 물은 12도. 군소를 건드리면 보라색 물을 뿜으니 눈으로만 본다. 올해는 작년보다 두 주 일렀다. 간조 뒤 사십 분이면 파도가 돌아온다.`,
};
const State = Annotation.Root({ notes: Annotation(), facts: Annotation(), draft: Annotation(), chapter: Annotation() });

export default {
  pattern: 'pipeline',
  healthy: [
    DIPPER,
    MORCHEL,
    TIDEPOOL,
    { ...DIPPER, proof: false },
    { ...MORCHEL, proof: false },
    { ...TIDEPOOL, proof: false },
  ],
  failing: [
    {
      ...MORCHEL,
      final:
        'SPEISEMORCHEL. Vierzig Stück standen am 2. Mai unter Fichten, in reinem Kies. Verwechslungen sind ausgeschlossen. Der größte Hut maß 25 Zentimeter.',
      fault: 'the proofread chapter contradicts the facts of the notes in every figure',
      agent: 'proofreader',
      step: 'answer',
      expect: ['grounding', 'hallucination', 'communication', 'coordination', 'context_neglect'],
    },
    {
      ...DIPPER,
      final: `${DIPPER.draft.slice(0, 300)}`,
      finish: 'length',
      fault: 'the chapter ends in the middle of a sentence at the length limit',
      agent: 'proofreader',
      step: 'answer',
      expect: ['output_validation', 'completion', 'context_overflow'],
    },
  ],
  model({ system }, { facts, draft, final, finish }) {
    if (system.startsWith('Fact sheet')) return facts;
    return system.startsWith('Chapter') ? draft : { text: final, finish };
  },
  async run({ chat }, { notes, proof = true }) {
    const model = chat();
    const ask = async (system, text) =>
      (await model.invoke([new SystemMessage(system), new HumanMessage(text)])).content;
    const graph = new StateGraph(State)
      .addNode('fact_finder', async (state) => ({
        facts: await ask('Fact sheet: list what was seen, where and when. Add nothing.', state.notes),
      }))
      .addNode('author', async (state) => ({
        draft: await ask(
          'Chapter: write a readable chapter from the facts, in their language.',
          `${state.facts}\n\nNotes:\n${state.notes}`,
        ),
      }))
      .addNode('proofreader', async (state) => ({
        chapter: await ask(
          'Proof: check the chapter against the facts, shorten it, set a heading.',
          `${state.facts}\n\n${state.draft}`,
        ),
      }))
      .addEdge(START, 'fact_finder')
      .addEdge('fact_finder', 'author')
      .addConditionalEdges('author', () => (proof ? 'proofreader' : END), ['proofreader', END])
      .addEdge('proofreader', END)
      .compile({ name: 'field-guide' });
    await graph.invoke({ notes });
  },
};
