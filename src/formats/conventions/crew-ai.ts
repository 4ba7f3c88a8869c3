import { isJsonObject } from '../../core/json.ts';
import { jsonAt, textAt } from './attribute-values.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';

/** CrewAI's own attributes, as OpenLLMetry's and OpenInference's CrewAI instrumentations set them. */
export const readCrewAi: FactsReader = ({ name, attributes }) => {
  const role = textAt(attributes, 'crewai.agent.role', 'crewai.task.agent', 'agent_role');
  const isCrew = 'crew_key' in attributes || 'crew_id' in attributes || 'crewai.crew.id' in attributes;
  if (role === undefined && !isCrew && !name.startsWith('crewai.')) return null;
  const task = textAt(attributes, 'crewai.task.description', 'task_description');
  const facts: Partial<StepFacts> = {
    framework: 'crewai',
    agent: role?.trim(),
    kind: kindOf(name, role !== undefined),
    input: task,
    task,
    output: textAt(attributes, 'crewai.crew.result', 'crewai.task.output', 'crewai.agent.result'),
    goto: delegatedTo(attributes['tool.name'] === undefined ? undefined : jsonAt(attributes, 'input.value')),
  };
  return facts;
};

function kindOf(name: string, hasRole: boolean): StepFacts['kind'] | undefined {
  if (name.startsWith('crewai.')) return 'chain';
  if (name.endsWith('.task')) return 'chain';
  return hasRole ? 'agent' : undefined;
}

/** The tools "Delegate work to coworker" and "Ask question to coworker" name the other agent. */
function delegatedTo(input: ReturnType<typeof jsonAt>): string[] {
  return isJsonObject(input) && typeof input.coworker === 'string' ? [input.coworker] : [];
}
